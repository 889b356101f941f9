-- name: trace.put_seed
-- doc: The seeds of one question of the stage tables.
-- params: run_id VARCHAR, question_id INTEGER
-- returns: none
-- order: none
INSERT INTO trace.seed
SELECT $run_id::VARCHAR, s.item_kind, s.item_id, coalesce(v.name, nullif(c.title, ''), d.source), s.group_id, s.score, s.why
FROM seed AS s
LEFT JOIN node AS v ON s.item_kind = 'node' AND v.node_id = s.item_id
LEFT JOIN chunk AS c ON s.item_kind = 'chunk' AND c.chunk_id = s.item_id
LEFT JOIN document AS d ON d.document_id = c.document_id
WHERE s.question_id = $question_id::INTEGER
ORDER BY s.score DESC, s.item_id
