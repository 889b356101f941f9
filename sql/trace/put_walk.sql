-- name: trace.put_walk
-- doc: The walk of one question of the stage tables.
-- params: run_id VARCHAR, question_id INTEGER
-- returns: none
-- order: none
INSERT INTO trace.walk
SELECT $run_id::VARCHAR, depth, path_id, parent_id, tail_kind, tail_id, nodes, edges, chunks, score, terms, view, rank, kept,
       pruned_by, gain, completeness, stopped
FROM walk
WHERE question_id = $question_id::INTEGER
ORDER BY depth, path_id
