-- name: ingest.derive_adjacency
-- doc: Both directions of every edge in node_id order.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE adjacency AS
SELECT source_id AS node_id, target_id AS neighbour_id, edge_id, relation_id, true AS forward
FROM edge
UNION ALL
SELECT target_id, source_id, edge_id, relation_id, false
FROM edge
WHERE source_id <> target_id
ORDER BY node_id, edge_id, forward DESC
