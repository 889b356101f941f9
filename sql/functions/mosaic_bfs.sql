-- name: functions.mosaic_bfs
-- doc: Nodes within some hops of a node, by name or id, each once at its least distance, with the way there. `ways` is
--   'either', 'forward' or 'backward'. A depth has 200,000 nodes at most.
-- params: none
-- slots: bounded, meant, walk, arrived
-- returns: none
-- order: distance, node_id
-- example: SELECT distance, name, way FROM mosaic_bfs('Argon', hops := 2, ways := 'forward')
CREATE OR REPLACE MACRO mosaic_bfs(item, hops := 2, ways := 'either', top := 1000) AS TABLE
WITH bound AS (
    SELECT 'hops' AS name, hops::VARCHAR AS said, 1 AS least, 100 AS most
    UNION ALL
    SELECT 'top', top::VARCHAR, 0, 1000000000
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
), seed AS (
    SELECT 0 AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id
    FROM found
    WHERE CASE WHEN ways IN ('either', 'forward', 'backward') THEN true
               ELSE error('ways is ''either'', ''forward'' or ''backward'', not ' ||
                          coalesce(regexp_replace(ways::VARCHAR, '^(.{60}).+$', '\1…', 's'), 'NULL')) END
), walked AS (
    /*<walk>*/ SELECT depth, tail_id, nodes, edges, score FROM walk /*</walk>*/
), reached AS (
    SELECT depth, tail_id, nodes, edges, score
    FROM walked
    WHERE depth > 0
)
SELECT distance, name, kinds, way, node_id, edges
FROM (
    /*<arrived>*/ SELECT 0 AS distance, '' AS name, [] AS kinds, '' AS way, 0 AS node_id, [] AS edges /*</arrived>*/
)
ORDER BY distance, node_id
LIMIT top
