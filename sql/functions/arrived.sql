-- name: functions.arrived
-- doc: The ends of the paths of `reached` (depth, tail_id, nodes, edges, score) by name, with the way there written out.
-- params: none
-- returns: distance INTEGER, name VARCHAR, kinds VARCHAR[], way VARCHAR, node_id INTEGER, edges INTEGER[], score
--   DOUBLE
-- order: none
SELECT r.depth AS distance,
       v.name,
       v.kinds,
       (
           SELECT string_agg(n.name, ' > ' ORDER BY h.place)
           FROM (SELECT unnest(r.nodes) AS node_id, generate_subscripts(r.nodes, 1) AS place) AS h
           JOIN node AS n ON n.node_id = h.node_id
       ) AS way,
       r.tail_id AS node_id,
       r.edges,
       r.score
FROM reached AS r
JOIN node AS v ON v.node_id = r.tail_id
