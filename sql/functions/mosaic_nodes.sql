-- name: functions.mosaic_nodes
-- doc: Nodes that go by a name, best connected first: more than one means that the name is ambiguous.
-- params: none
-- slots: named
-- returns: none
-- order: degree DESC, node_id
-- example: FROM mosaic_nodes('argon')
CREATE OR REPLACE MACRO mosaic_nodes(item) AS TABLE
WITH wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
), found AS (
    /*<named>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</named>*/
)
SELECT v.node_id, v.name, v.kinds, v.description, v.properties, v.degree, v.chunk_count AS chunks
FROM found AS f
JOIN node AS v ON v.node_id = f.node_id
ORDER BY v.degree DESC, v.node_id
