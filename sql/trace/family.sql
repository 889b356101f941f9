-- name: trace.family
-- doc: A run and the runs of its steps, theirs included; calls may be kept under a run of which there is nothing else.
-- params: run_id VARCHAR
-- returns: run_id VARCHAR
-- order: started_at, run_id
WITH RECURSIVE family (run_id, started_at) USING KEY (run_id) AS (
    SELECT a.run_id, r.started_at
    FROM (SELECT $run_id::VARCHAR AS run_id) AS a
    LEFT JOIN trace.run AS r ON r.run_id = a.run_id
    UNION ALL
    SELECT r.run_id, r.started_at
    FROM family AS f
    JOIN trace.run AS r ON r.parent_run_id = f.run_id
)
SELECT run_id
FROM family
ORDER BY started_at, run_id
