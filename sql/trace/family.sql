-- name: trace.family
-- doc: A run and the runs of its steps, theirs included.
-- params: run_id VARCHAR
-- returns: run_id VARCHAR
-- order: started_at, run_id
WITH RECURSIVE family (run_id, started_at) USING KEY (run_id) AS (
    SELECT run_id, started_at
    FROM trace.run
    WHERE run_id = $run_id::VARCHAR
    UNION ALL
    SELECT r.run_id, r.started_at
    FROM family AS f
    JOIN trace.run AS r ON r.parent_run_id = f.run_id
)
SELECT run_id
FROM family
ORDER BY started_at, run_id
