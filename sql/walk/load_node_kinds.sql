-- name: walk.load_node_kinds
-- doc: The kinds of the nodes in the Arrow table `incoming`: reads the row groups that hold them.
-- params: none
-- returns: node_id INTEGER, kinds VARCHAR[]
-- order: node_id
SELECT v.node_id, coalesce(v.kinds, []) AS kinds
FROM incoming AS i
JOIN node AS v ON v.node_id = i.node_id
ORDER BY v.node_id
