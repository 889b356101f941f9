-- name: trace.put_evidence
-- doc: The evidence of one question of the stage tables.
-- params: run_id VARCHAR, question_id INTEGER
-- returns: none
-- order: none
INSERT INTO trace.evidence
SELECT $run_id::VARCHAR, rank, unit_kind, unit_id, chunk_id, path_id, role, score, kept, pruned_by
FROM evidence
WHERE question_id = $question_id::INTEGER
ORDER BY rank
