-- name: walk.load_steps
-- doc: The adjacency of the nodes in the Arrow table `incoming`: reads the row groups that hold them.
-- params: none
-- returns: node_id INTEGER, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN
-- order: node_id, edge_id, forward DESC
SELECT a.node_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
FROM incoming AS i
JOIN adjacency AS a ON a.node_id = i.node_id
ORDER BY a.node_id, a.edge_id, a.forward DESC
