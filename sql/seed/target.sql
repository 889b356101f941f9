-- name: seed.target
-- doc: Names found in the question and the nodes they are linked to.
-- params: targets STRUCT(question_id INTEGER, group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id
--   INTEGER)[]
-- returns: question_id INTEGER, group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER
-- order: question_id, group_id, node_id
SELECT question_id, group_id, alias_key, weight, node_id
FROM (
    SELECT unnest($targets::STRUCT(
        question_id INTEGER, group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER
    )[], recursive := true)
)
ORDER BY question_id, group_id, node_id
