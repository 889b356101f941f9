-- name: trace.load_seed
-- doc: The seed rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.seed BY NAME
SELECT *
FROM kept.seed
WHERE run_id = $run_id::VARCHAR
