-- name: walk.load_nodes
-- doc: Every node for arrays in memory: its name, the stored terms of eq. 8, and its kinds, each set of kinds once: the
--   nodes by number of their set.
-- params: none
-- returns: node_id INTEGER, name VARCHAR, specificity INTEGER, hub_share INTEGER, is_joined BOOLEAN, set_no INTEGER,
--   kinds VARCHAR[]
-- order: node_id
SELECT v.node_id,
       v.name,
       coalesce(v.specificity, 0) AS specificity,
       coalesce(v.hub_share, 0) AS hub_share,
       coalesce(v.degree, 0) > 0 AS is_joined,
       s.set_no,
       CASE WHEN v.node_id = s.first_id THEN s.kinds END AS kinds
FROM node AS v
LEFT JOIN (
    SELECT kinds, min(node_id) AS first_id, (row_number() OVER (ORDER BY min(node_id)) - 1)::INTEGER AS set_no
    FROM node
    WHERE len(kinds) > 0
    GROUP BY kinds
) AS s ON s.kinds = v.kinds
ORDER BY v.node_id
