-- name: functions.mosaic_match
-- doc: Nodes that a chain of relations reaches from a node, by name or id: `discovered_by / received`; `^r` against its
--   direction, `~r` either way, `any`, `(a | b)`, names with blanks or signs in quotes, and the kind of the node reached in
--   brackets: `^author [paper]`. Repetitions and deeper brackets are left to `mosaic match`, which prints its SQL with
--   --sql. A relation or kind that is not there is an error with the nearest one. A depth has 200,000 paths at most.
-- params: none
-- slots: bounded, meant, read, walk, arrived
-- returns: none
-- order: distance, node_id
-- example: SELECT name, way FROM mosaic_match('Argon', 'discovered_by / received')
CREATE OR REPLACE MACRO mosaic_match(item, pattern, top := 1000) AS TABLE
WITH bound AS (
    SELECT 'top' AS name, top::VARCHAR AS said, 0 AS least, 1000000000 AS most
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
), seed AS (
    SELECT 0 AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id FROM found
), chain AS (
    SELECT pattern::VARCHAR AS said
), rule AS MATERIALIZED (
    SELECT 0 AS question_id, -1 AS state, NULL::INTEGER AS relation_id, NULL::BOOLEAN AS forward, NULL::VARCHAR AS kind,
           0 AS next_state, false AS accepts
    UNION ALL
    SELECT 0, place - 1, relation_id, forward, kind, place, is_last
    FROM (
        /*<read>*/
        SELECT 1 AS place, 0 AS relation_id, true AS forward, '' AS kind, true AS is_last WHERE false
        /*</read>*/
    )
), arm AS (  -- each node of the name in states of its own
    SELECT 0 AS question_id, 0 AS group_id, node_id, (begin * length)::INTEGER AS state,
           ((begin + 1) * length - 1)::INTEGER AS last_state
    FROM (SELECT node_id, row_number() OVER (ORDER BY node_id) - 1 AS begin FROM (SELECT DISTINCT node_id FROM found))
    CROSS JOIN (SELECT max(next_state) + 1 AS length FROM rule)
), transition AS MATERIALIZED (
    SELECT r.question_id, CASE WHEN r.state < 0 THEN -1 ELSE r.state + m.state END AS state, r.relation_id, r.forward, r.kind,
           (r.next_state + m.state)::INTEGER AS next_state, r.accepts
    FROM rule AS r
    CROSS JOIN arm AS m
), walked AS (
    /*<walk>*/ SELECT depth, tail_id, nodes, edges, score, view FROM walk /*</walk>*/
), reached AS (
    SELECT depth, tail_id, nodes, edges, score
    FROM walked
    WHERE view = 'answer'
)
SELECT distance, name, kinds, way, node_id, edges
FROM (
    /*<arrived>*/ SELECT 0 AS distance, '' AS name, [] AS kinds, '' AS way, 0 AS node_id, [] AS edges /*</arrived>*/
)
ORDER BY distance, node_id
LIMIT top
