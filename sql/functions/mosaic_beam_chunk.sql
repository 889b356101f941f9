-- name: functions.mosaic_beam_chunk
-- doc: The best paths from the nodes that a chunk names, by its id: a beam of `width` paths a depth, scored like the walk of a
--   question (eq. 8) whose text is the chunk.
-- params: none
-- slots: bounded, stored, beam, arrived
-- returns: none
-- order: distance, score DESC, node_id
-- example: FROM mosaic_beam_chunk((SELECT min(chunk_id) FROM chunk WHERE title = 'Argon'))
CREATE OR REPLACE MACRO mosaic_beam_chunk(chunk_number, hops := 2, width := 8, top := 100) AS TABLE
WITH bound AS (
    SELECT 'hops' AS name, hops::VARCHAR AS said, 1 AS least, 100 AS most
    UNION ALL
    SELECT 'width', width::VARCHAR, 1, 100000
    UNION ALL
    SELECT 'top', top::VARCHAR, 0, 1000000000
), wanted AS (
    SELECT 1 AS place, typeof(chunk_number) AS type, chunk_number::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<stored>*/ SELECT chunk_id FROM chunk WHERE false /*</stored>*/
), question AS (
    SELECT c.chunk_id AS question_id, c.embedding
    FROM found AS f
    JOIN chunk AS c ON c.chunk_id = f.chunk_id
), question_term AS (
    SELECT p.chunk_id AS question_id, t.term_id, t.term AS stem, t.idf
    FROM found AS f
    JOIN posting AS p ON p.chunk_id = f.chunk_id
    JOIN term AS t ON t.term_id = p.term_id
), seed AS (
    SELECT DISTINCT f.chunk_id AS question_id, 'node' AS item_kind, m.node_id AS item_id, 0 AS group_id,
           1.0::DOUBLE AS score
    FROM found AS f
    JOIN mention AS m ON m.chunk_id = f.chunk_id
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
