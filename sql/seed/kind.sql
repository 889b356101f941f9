-- name: seed.kind
-- doc: All nodes of a kind, or of further ones, in place of those that the question names. They are no group: each may be
--   reached from others.
-- params: source_kind VARCHAR, or_kinds VARCHAR[]
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, item_id
SELECT q.question_id,
       'node' AS item_kind,
       v.node_id AS item_id,
       NULL::INTEGER AS group_id,
       1.0::DOUBLE AS score,
       'kind: every ' || $source_kind::VARCHAR AS why
FROM question AS q
JOIN node AS v ON list_has_any(v.kinds, list_prepend($source_kind::VARCHAR, $or_kinds::VARCHAR[]))
ORDER BY q.question_id, item_id
