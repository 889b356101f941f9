-- name: trace.keep_call
-- doc: The call rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.call BY NAME
SELECT *
FROM trace.call
WHERE run_id = $run_id::VARCHAR
