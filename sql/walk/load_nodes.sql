-- name: walk.load_nodes
-- doc: The name of every node and its kinds, each set of kinds once: the nodes by number of their set, for arrays in memory.
-- params: none
-- returns: node_id INTEGER, name VARCHAR, set_no INTEGER, kinds VARCHAR[]
-- order: node_id
SELECT v.node_id, v.name, s.set_no, CASE WHEN v.node_id = s.first_id THEN s.kinds END AS kinds
FROM node AS v
LEFT JOIN (
    SELECT kinds, min(node_id) AS first_id, (row_number() OVER (ORDER BY min(node_id)) - 1)::INTEGER AS set_no
    FROM node
    WHERE len(kinds) > 0
    GROUP BY kinds
) AS s ON s.kinds = v.kinds
ORDER BY v.node_id
