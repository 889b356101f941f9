-- name: context.seed_ids
-- doc: Seeds without their names: the quick form of context.seeds.
-- params: none
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, name VARCHAR, group_id INTEGER, score DOUBLE,
--   why VARCHAR
-- order: question_id, score DESC, item_kind, item_id
SELECT question_id, item_kind, item_id, NULL::VARCHAR AS name, group_id, score, why
FROM seed
ORDER BY question_id, score DESC, item_kind, item_id
