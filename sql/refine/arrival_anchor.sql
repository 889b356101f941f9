-- name: refine.arrival_anchor
-- doc: The anchors themselves: what is asked of them stands in their properties.
-- params: none
-- slots: none
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER,
--   paths BIGINT
-- order: question_id, arm, node_id, edge_id, path_id
SELECT question_id,
       0 AS arm,
       item_id AS node_id,
       NULL::INTEGER AS edge_id,
       NULL::BIGINT AS path_id,
       0 AS depth,
       1::BIGINT AS paths
FROM (SELECT DISTINCT question_id, item_id FROM seed WHERE item_kind = 'node') AS s
ORDER BY question_id, arm, node_id, edge_id, path_id
