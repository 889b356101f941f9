-- name: link.nodes
-- doc: Nodes by id or by exact name; one row per node.
-- params: node_ids INTEGER[], names VARCHAR[]
-- returns: node_id INTEGER, name VARCHAR, origin VARCHAR, kinds VARCHAR[], chunk_count INTEGER, degree INTEGER
-- order: degree DESC, node_id
SELECT node_id, name, origin, kinds, chunk_count, degree
FROM node
WHERE node_id IN (SELECT unnest($node_ids::INTEGER[])) OR name IN (SELECT unnest($names::VARCHAR[]))
ORDER BY degree DESC, node_id
