-- name: seed.node
-- doc: Nodes that the question names, each group a target.
-- params: none
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, group_id, score DESC, item_id
SELECT question_id,
       'node' AS item_kind,
       node_id AS item_id,
       group_id,
       weight AS score,
       'anchor: the question names it' AS why
FROM target
ORDER BY question_id, group_id, score DESC, item_id
