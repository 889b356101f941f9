-- name: link.steps
-- doc: Relations that some nodes have, and whether they leave the node or arrive at it.
-- params: node_ids INTEGER[]
-- returns: node_id INTEGER, relation VARCHAR, forward BOOLEAN
-- order: node_id, relation, forward
SELECT DISTINCT a.node_id, r.relation, a.forward
FROM adjacency AS a
JOIN relation AS r ON r.relation_id = a.relation_id
WHERE a.node_id IN (SELECT unnest($node_ids::INTEGER[]))
ORDER BY a.node_id, r.relation, a.forward
