-- name: trace.load_call
-- doc: The call rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.call BY NAME
SELECT *
FROM kept.call
WHERE run_id = $run_id::VARCHAR
