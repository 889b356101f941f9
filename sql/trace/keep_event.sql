-- name: trace.keep_event
-- doc: The event rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.event BY NAME
SELECT *
FROM trace.event
WHERE run_id = $run_id::VARCHAR
