-- name: trace.keep_run
-- doc: The run rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.run BY NAME
SELECT *
FROM trace.run
WHERE run_id = $run_id::VARCHAR
