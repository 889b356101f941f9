-- name: trace.keep_seed
-- doc: The seed rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.seed BY NAME
SELECT *
FROM trace.seed
WHERE run_id = $run_id::VARCHAR
