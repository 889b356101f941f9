-- name: functions.mosaic_beam_chunk
-- doc: The best paths from the nodes that a chunk names, by its id: a beam of `width` paths a depth, scored like the walk of a
--   question (eq. 8) whose text is the chunk.
-- params: none
-- slots: beam, arrived
-- returns: none
-- order: distance, score DESC, node_id
-- example: FROM mosaic_beam_chunk((SELECT min(chunk_id) FROM chunk WHERE title = 'Argon'))
CREATE OR REPLACE MACRO mosaic_beam_chunk(chunk_number, hops := 2, width := 8, top := 100) AS TABLE
WITH question AS (
    SELECT chunk_id AS question_id, embedding FROM chunk WHERE chunk_id = chunk_number
), question_term AS (
    SELECT p.chunk_id AS question_id, t.term_id, t.term AS stem, t.idf
    FROM posting AS p
    JOIN term AS t ON t.term_id = p.term_id
    WHERE p.chunk_id = chunk_number
), seed AS (
    SELECT DISTINCT chunk_id AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id, 1.0::DOUBLE AS score
    FROM mention
    WHERE chunk_id = chunk_number
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
