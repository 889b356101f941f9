-- name: refine.arrival_path
-- doc: Where the ranked paths of a walk end: the last node and the last edge of each.
-- params: none
-- slots: none
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER,
--   paths BIGINT
-- order: question_id, arm, node_id, edge_id, path_id
SELECT question_id,
       0 AS arm,
       tail_id AS node_id,
       edges[array_length(edges)] AS edge_id,
       path_id,
       depth,
       1::BIGINT AS paths
FROM walk
WHERE depth > 0 AND kept AND rank IS NOT NULL AND tail_kind = 'node'
ORDER BY question_id, arm, node_id, edge_id, path_id
