-- name: trace.load_walk
-- doc: The walk rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.walk BY NAME
SELECT *
FROM kept.walk
WHERE run_id = $run_id::VARCHAR
