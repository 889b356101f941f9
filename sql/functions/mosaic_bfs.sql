-- name: functions.mosaic_bfs
-- doc: Nodes within some hops of a node, by name or id, each once at its least distance, with the way there. `ways` is
--   'either', 'forward' or 'backward'.
-- params: none
-- slots: named, walk
-- returns: none
-- order: distance, node_id
CREATE OR REPLACE MACRO mosaic_bfs(item, hops := 2, ways := 'either', top := 1000) AS TABLE
WITH found AS (
    /*<named>*/ SELECT node_id FROM node WHERE false /*</named>*/
), seed AS (
    SELECT 0 AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id FROM found
), reached AS (
    /*<walk>*/ SELECT depth, tail_id, nodes, edges FROM walk /*</walk>*/
)
SELECT r.depth AS distance,
       v.name,
       v.kinds,
       (
           SELECT string_agg(n.name, ' > ' ORDER BY h.place)
           FROM (SELECT unnest(r.nodes) AS node_id, generate_subscripts(r.nodes, 1) AS place) AS h
           JOIN node AS n ON n.node_id = h.node_id
       ) AS way,
       r.tail_id AS node_id,
       r.edges
FROM reached AS r
JOIN node AS v ON v.node_id = r.tail_id
WHERE r.depth > 0
ORDER BY r.depth, r.tail_id
LIMIT top
