-- name: trace.kept_like
-- doc: Kept runs whose id begins so, six at most; the one with this very id alone.
-- params: prefix VARCHAR
-- returns: run_id VARCHAR
-- order: run_id
SELECT run_id
FROM kept.run
WHERE starts_with(run_id, $prefix::VARCHAR) AND $prefix::VARCHAR <> ''
QUALIFY run_id = $prefix::VARCHAR OR NOT bool_or(run_id = $prefix::VARCHAR) OVER ()
ORDER BY run_id
LIMIT 6
