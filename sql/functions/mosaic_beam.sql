-- name: functions.mosaic_beam
-- doc: The best paths from a node, by name or id: a beam of `width` paths a depth, scored like the walk of a question (eq. 8)
--   whose text is the node's own name. A name that stands for several nodes starts at each.
-- params: none
-- slots: bounded, meant, beam, arrived
-- returns: none
-- order: distance, score DESC, node_id
-- example: SELECT score, distance, way FROM mosaic_beam('Germanium', hops := 2, width := 4)
CREATE OR REPLACE MACRO mosaic_beam(item, hops := 2, width := 8, top := 100) AS TABLE
WITH bound AS (
    SELECT 'hops' AS name, hops::VARCHAR AS said, 1 AS least, 100 AS most
    UNION ALL
    SELECT 'width', width::VARCHAR, 1, 100000
    UNION ALL
    SELECT 'top', top::VARCHAR, 0, 1000000000
), wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<meant>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</meant>*/
), question AS (
    SELECT v.node_id AS question_id, v.embedding
    FROM found AS f
    JOIN node AS v ON v.node_id = f.node_id
), question_term AS (
    SELECT p.node_id AS question_id, t.term_id, t.term AS stem, t.idf
    FROM found AS f
    JOIN name_posting AS p ON p.node_id = f.node_id
    JOIN term AS t ON t.term_id = p.term_id
), seed AS (
    SELECT node_id AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id, 1.0::DOUBLE AS score FROM found
), reached AS (
    /*<beam>*/ SELECT depth, tail_id, nodes, edges, score FROM walk /*</beam>*/
)
SELECT round(score, 6) AS score, distance, name, kinds, way, node_id, edges
FROM (
    /*<arrived>*/
    SELECT 0 AS distance, '' AS name, [] AS kinds, '' AS way, 0 AS node_id, [] AS edges, 0.0::DOUBLE AS score
    /*</arrived>*/
)
ORDER BY distance, score DESC, node_id, edges
LIMIT top
