-- name: link.described
-- doc: What some nodes are called and of which kinds they are: the nodes that a description stands for.
-- params: node_ids INTEGER[]
-- returns: node_id INTEGER, name VARCHAR, kinds VARCHAR[]
-- order: node_id
SELECT node_id, name, kinds
FROM node
WHERE node_id IN (SELECT unnest($node_ids::INTEGER[]))
ORDER BY node_id
