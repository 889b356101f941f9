-- name: trace.keep_walk
-- doc: The walk rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.walk BY NAME
SELECT *
FROM trace.walk
WHERE run_id = $run_id::VARCHAR
