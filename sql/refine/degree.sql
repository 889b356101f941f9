-- name: refine.degree
-- doc: How many edges of one step every answer has, none included, and which: a loop counts once.
-- params: steps STRUCT(relation_id INTEGER, forward BOOLEAN, kind VARCHAR)[]
-- slots: none
-- returns: node_id INTEGER, degree INTEGER, edges INTEGER[]
-- order: none
WITH step AS (
    SELECT unnest($steps::STRUCT(relation_id INTEGER, forward BOOLEAN, kind VARCHAR)[], recursive := true)
), taken AS (
    SELECT DISTINCT a.node_id, a.edge_id
    FROM (SELECT DISTINCT node_id FROM answer) AS r
    JOIN adjacency AS a ON a.node_id = r.node_id
    JOIN step AS t
      ON (t.relation_id IS NULL OR t.relation_id = a.relation_id)
     AND (t.forward IS NULL OR t.forward = a.forward OR a.neighbour_id = a.node_id)
    JOIN node AS v ON v.node_id = a.neighbour_id AND (t.kind IS NULL OR list_contains(v.kinds, t.kind))
)
SELECT r.node_id,
       count(t.edge_id)::INTEGER AS degree,
       coalesce(list(t.edge_id ORDER BY t.edge_id) FILTER (t.edge_id IS NOT NULL), []::INTEGER[]) AS edges
FROM (SELECT DISTINCT node_id FROM answer) AS r
LEFT JOIN taken AS t ON t.node_id = r.node_id
GROUP BY r.node_id
