-- name: functions.mosaic_similar_chunks
-- doc: Chunks most like a chunk, by its id: cosine of their vectors.
-- params: none
-- slots: bounded, stored
-- returns: none
-- order: cosine DESC, chunk_id
-- example: SELECT cosine, title FROM mosaic_similar_chunks((SELECT min(chunk_id) FROM chunk WHERE title = 'Argon'))
CREATE OR REPLACE MACRO mosaic_similar_chunks(chunk_number, top := 10) AS TABLE
WITH bound AS (
    SELECT 'top' AS name, top::VARCHAR AS said, 0 AS least, 1000000000 AS most
), wanted AS (
    SELECT 1 AS place, typeof(chunk_number) AS type, chunk_number::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), found AS MATERIALIZED (
    /*<stored>*/ SELECT chunk_id FROM chunk WHERE false /*</stored>*/
), near AS (
    SELECT n.chunk_id, n.document_id, n.title, n.text, array_inner_product(n.embedding, c.embedding) AS product
    FROM found AS f
    JOIN chunk AS c ON c.chunk_id = f.chunk_id
    JOIN chunk AS n ON n.chunk_id <> c.chunk_id
    WHERE c.embedding IS NOT NULL AND n.embedding IS NOT NULL
    ORDER BY product DESC, n.chunk_id
    LIMIT top
)
SELECT round(n.product / 16000000.0::DOUBLE, 6) AS cosine, d.source, n.title, n.text, n.chunk_id
FROM near AS n
JOIN document AS d ON d.document_id = n.document_id
ORDER BY n.product DESC, n.chunk_id
