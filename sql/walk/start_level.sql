-- name: walk.start_level
-- doc: The anchors as the first rows of an unrolled walk.
-- params: none
-- returns: question_id INTEGER, tail_id INTEGER, state INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, nodes
--   INTEGER[], edges INTEGER[], accepted BOOLEAN, cut BOOLEAN, capped BOOLEAN, is_last BOOLEAN
-- order: none
SELECT question_id, item_id AS tail_id, state, 0 AS depth, state * 4294967296::BIGINT + item_id AS path_id,
       NULL::BIGINT AS parent_id, [item_id] AS nodes, []::INTEGER[] AS edges, accepts AS accepted, false AS cut,
       false AS capped, true AS is_last
FROM start
