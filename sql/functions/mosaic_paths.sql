-- name: functions.mosaic_paths
-- doc: The shortest simple paths between two nodes, by name or id, edges taken either way, at most `longest` hops;
--   200,000 paths are looked at.
-- params: none
-- slots: bounded, meant, reach, corridor, walk
-- returns: none
-- order: place
-- example: SELECT way, relations FROM mosaic_paths('Yttrium', 'Erbium', longest := 3)
CREATE OR REPLACE MACRO mosaic_paths(item, goal, longest := 4, top := 10) AS TABLE
WITH bound AS (
    SELECT 'longest' AS name, longest::VARCHAR AS said, 1 AS least, 100 AS most
    UNION ALL
    SELECT 'top', top::VARCHAR, 0, 1000000000
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    SELECT 2, typeof(goal), goal::VARCHAR
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
), seed AS (
    SELECT 0 AS question_id, 'node' AS item_kind, node_id AS item_id, place AS group_id FROM found
), transition AS (  -- any relation, either way, any number of times
    SELECT 0 AS question_id, -1 AS state, NULL::INTEGER AS relation_id, NULL::BOOLEAN AS forward, NULL::VARCHAR AS kind,
           0 AS next_state, false AS accepts
    UNION ALL
    SELECT 0, 0, NULL, NULL, NULL, 0, true
), reach AS (
    /*<reach>*/ SELECT * FROM reach /*</reach>*/
), corridor AS (
    /*<corridor>*/ SELECT * FROM corridor /*</corridor>*/
), path AS (
    /*<walk>*/ SELECT depth, rank, nodes, edges, view, kept FROM walk /*</walk>*/
)
SELECT f.rank AS place,
       f.depth AS distance,
       (
           SELECT string_agg(n.name, ' > ' ORDER BY h.hop)
           FROM (SELECT unnest(f.nodes) AS node_id, generate_subscripts(f.nodes, 1) AS hop) AS h
           JOIN node AS n ON n.node_id = h.node_id
       ) AS way,
       (
           SELECT string_agg(r.relation, ' > ' ORDER BY h.hop)
           FROM (SELECT unnest(f.edges) AS edge_id, generate_subscripts(f.edges, 1) AS hop) AS h
           JOIN edge AS e ON e.edge_id = h.edge_id
           JOIN relation AS r ON r.relation_id = e.relation_id
       ) AS relations,
       f.nodes,
       f.edges
FROM path AS f
WHERE f.view = 'answer' AND f.kept
ORDER BY f.rank
