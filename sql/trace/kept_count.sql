-- name: trace.kept_count
-- doc: How many runs are kept, the steps of others not counted.
-- params: none
-- returns: runs BIGINT
-- order: none
SELECT count(*) AS runs
FROM kept.run
WHERE parent_run_id IS NULL
