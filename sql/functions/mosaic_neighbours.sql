-- name: functions.mosaic_neighbours
-- doc: Edges of a node, by name or id, either way: `-->` leaves it, `<--` arrives at it. A fact is the sentence that states
--   the edge.
-- params: none
-- slots: bounded, meant
-- returns: none
-- order: relation, arrow DESC, neighbour, edge_id
-- example: FROM mosaic_neighbours('Clemens Winkler')
CREATE OR REPLACE MACRO mosaic_neighbours(item, top := 1000) AS TABLE
WITH bound AS (
    SELECT 'top' AS name, top::VARCHAR AS said, 0 AS least, 1000000000 AS most
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
)
SELECT v.name AS node,
       CASE WHEN a.forward THEN '-->' ELSE '<--' END AS arrow,
       r.relation,
       n.name AS neighbour,
       n.kinds,
       coalesce(nullif(e.label, ''), r.relation) AS label,
       coalesce(e.fact, substr(c.text, s.char_start + 1, s.char_end - s.char_start)) AS said,
       e.properties,
       n.node_id AS neighbour_id,
       e.edge_id
FROM found AS f
JOIN node AS v ON v.node_id = f.node_id
JOIN adjacency AS a ON a.node_id = f.node_id
JOIN relation AS r ON r.relation_id = a.relation_id
JOIN node AS n ON n.node_id = a.neighbour_id
JOIN edge AS e ON e.edge_id = a.edge_id
LEFT JOIN sentence AS s ON s.sentence_id = e.fact_id
LEFT JOIN chunk AS c ON c.chunk_id = s.chunk_id
ORDER BY r.relation, a.forward DESC, n.name, e.edge_id
LIMIT top
