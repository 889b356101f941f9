-- name: context.seed_ids
-- doc: Seeds without their names, in the order they were filled: the quick form of context.seeds.
-- params: none
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, name VARCHAR, group_id INTEGER, score DOUBLE,
--   why VARCHAR
-- order: as filled
SELECT question_id, item_kind, item_id, NULL::VARCHAR AS name, group_id, score, why
FROM seed
