-- name: trace.load_event
-- doc: The event rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.event BY NAME
SELECT *
FROM kept.event
WHERE run_id = $run_id::VARCHAR
