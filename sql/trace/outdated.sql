-- name: trace.outdated
-- doc: Kept runs beyond the latest `keep_count`, or older than `keep_days`, with the runs of their steps, which go with them. A
--   bound that is NULL bounds nothing.
-- params: keep_count INTEGER, keep_days DOUBLE
-- returns: run_id VARCHAR, is_step BOOLEAN
-- order: run_id
WITH RECURSIVE gone (run_id, is_step) AS (
    SELECT run_id, false
    FROM (
        SELECT run_id, started_at, row_number() OVER (ORDER BY started_at DESC, run_id) AS place
        FROM kept.run
        WHERE parent_run_id IS NULL
    )
    WHERE place > $keep_count::INTEGER OR started_at < now()::TIMESTAMP - to_seconds(86400 * $keep_days::DOUBLE)
    UNION ALL
    SELECT r.run_id, true
    FROM gone AS g
    JOIN kept.run AS r ON r.parent_run_id = g.run_id
)
SELECT run_id, is_step
FROM gone
ORDER BY run_id
