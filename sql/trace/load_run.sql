-- name: trace.load_run
-- doc: The run rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.run BY NAME
SELECT *
FROM kept.run
WHERE run_id = $run_id::VARCHAR
