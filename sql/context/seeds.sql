-- name: context.seeds
-- doc: Seeds with their names.
-- params: none
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, name VARCHAR, group_id INTEGER, score
--   DOUBLE, why VARCHAR
-- order: question_id, score DESC, item_kind, item_id
SELECT s.question_id, s.item_kind, s.item_id, coalesce(v.name, nullif(c.title, ''), d.source) AS name, s.group_id, s.score, s.why
FROM seed AS s
LEFT JOIN node AS v ON s.item_kind = 'node' AND v.node_id = s.item_id
LEFT JOIN chunk AS c ON s.item_kind = 'chunk' AND c.chunk_id = s.item_id
LEFT JOIN document AS d ON d.document_id = c.document_id
ORDER BY s.question_id, s.score DESC, s.item_kind, s.item_id
