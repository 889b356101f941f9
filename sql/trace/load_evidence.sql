-- name: trace.load_evidence
-- doc: The evidence rows of one kept run come into memory.
-- params: run_id VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.evidence BY NAME
SELECT *
FROM kept.evidence
WHERE run_id = $run_id::VARCHAR
