-- name: refine.degree
-- doc: How many edges of one step every answer has, none included, and which: a loop counts once, and so does what joins
--   two nodes along several relations, or both ways, of which the most edges along one are taken.
-- params: steps STRUCT(relation_id INTEGER, forward BOOLEAN, kind VARCHAR)[]
-- slots: none
-- returns: node_id INTEGER, degree INTEGER, edges INTEGER[]
-- order: none
WITH step AS (
    SELECT unnest($steps::STRUCT(relation_id INTEGER, forward BOOLEAN, kind VARCHAR)[], recursive := true)
), taken AS (
    SELECT DISTINCT a.node_id, a.edge_id, a.neighbour_id, a.relation_id,
           a.forward OR a.neighbour_id = a.node_id AS forward
    FROM (SELECT DISTINCT node_id FROM answer) AS r
    JOIN adjacency AS a ON a.node_id = r.node_id
    JOIN step AS t
      ON (t.relation_id IS NULL OR t.relation_id = a.relation_id)
     AND (t.forward IS NULL OR t.forward = a.forward OR a.neighbour_id = a.node_id)
    JOIN node AS v ON v.node_id = a.neighbour_id AND (t.kind IS NULL OR list_contains(v.kinds, t.kind))
), along AS (
    SELECT node_id, neighbour_id, count(*) AS edge_count, list(edge_id) AS edges
    FROM taken
    GROUP BY node_id, neighbour_id, relation_id, forward
), joined AS (
    SELECT node_id, neighbour_id, max(edge_count) AS edge_count, flatten(list(edges)) AS edges
    FROM along
    GROUP BY node_id, neighbour_id
)
SELECT r.node_id,
       coalesce(sum(j.edge_count), 0)::INTEGER AS degree,
       list_sort(coalesce(flatten(list(j.edges) FILTER (j.edges IS NOT NULL)), []::INTEGER[])) AS edges
FROM (SELECT DISTINCT node_id FROM answer) AS r
LEFT JOIN joined AS j ON j.node_id = r.node_id
GROUP BY r.node_id
