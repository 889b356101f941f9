-- name: walk.load_adjacency
-- doc: The adjacency as it is stored, node by node, for arrays in memory.
-- params: none
-- returns: node_id INTEGER, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN
-- order: none
SELECT node_id, neighbour_id, edge_id, relation_id, forward
FROM adjacency
