-- name: functions.mosaic_similar
-- doc: Nodes whose names (and descriptions) are most like those of a node, by name or id: cosine of their vectors. None
--   where the corpus has no vectors.
-- params: none
-- slots: bounded, meant
-- returns: none
-- order: cosine DESC, node_id
-- example: SELECT cosine, name FROM mosaic_similar('Yttrium', top := 5)
CREATE OR REPLACE MACRO mosaic_similar(item, top := 10) AS TABLE
WITH bound AS (
    SELECT 'top' AS name, top::VARCHAR AS said, 0 AS least, 1000000000 AS most
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
), near AS (
    SELECT n.node_id, n.name, n.kinds, n.degree,
           max(list_inner_product(n.embedding, v.embedding)) AS product
    FROM found AS f
    JOIN node AS v ON v.node_id = f.node_id
    JOIN node AS n ON n.embedding IS NOT NULL
    WHERE v.embedding IS NOT NULL AND n.node_id NOT IN (SELECT node_id FROM found)
    GROUP BY n.node_id, n.name, n.kinds, n.degree
)
SELECT round(product / 16000000.0::DOUBLE, 6) AS cosine, name, kinds, degree, node_id
FROM near
ORDER BY product DESC, node_id
LIMIT top
