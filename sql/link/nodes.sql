-- name: link.nodes
-- doc: Nodes by id; one row per node.
-- params: node_ids INTEGER[]
-- returns: node_id INTEGER, name VARCHAR, origin VARCHAR, kinds VARCHAR[], chunk_count INTEGER, degree INTEGER,
--   description VARCHAR
-- order: degree DESC, node_id
SELECT node_id, name, origin, kinds, chunk_count, degree, description
FROM node
WHERE node_id IN (SELECT unnest($node_ids::INTEGER[]))
ORDER BY degree DESC, node_id
