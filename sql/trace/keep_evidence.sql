-- name: trace.keep_evidence
-- doc: The evidence rows of one run go into the file of kept runs.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO kept.evidence BY NAME
SELECT *
FROM trace.evidence
WHERE run_id = $run_id::VARCHAR
