-- name: functions.mosaic_bm25
-- doc: Chunks that hold some words, by BM25 (k1 1.2, b 0.75). Words in any form that the corpus has; a run of an unspaced
--   script is searched by its pairs of characters.
-- params: none
-- slots: bounded
-- returns: none
-- order: score DESC, chunk_id
-- example: SELECT score, title FROM mosaic_bm25('noble gases in the air', top := 5)
CREATE OR REPLACE MACRO mosaic_bm25(words, top := 10) AS TABLE
WITH bound AS (
    SELECT 'top' AS name, top::VARCHAR AS said, 0 AS least, 1000000000 AS most
), wanted AS (
    SELECT 1 AS place, typeof(words) AS type, words::VARCHAR AS said
    UNION ALL
    /*<bounded>*/ SELECT 0 AS place, '' AS type, '' AS said WHERE false /*</bounded>*/
), run AS (
    SELECT unnest(regexp_extract_all(lower(strip_accents(said)), '[\p{L}\p{N}]+')) AS form FROM wanted
), piece AS (
    SELECT form FROM run
    UNION
    SELECT substr(form, place::BIGINT, 2)
    FROM (SELECT form, unnest(generate_series(1, length(form) - 1)) AS place FROM run)
    WHERE regexp_matches(form, '[\x{0E00}-\x{0EFF}\x{3040}-\x{30FF}\x{3400}-\x{4DBF}\x{4E00}-\x{9FFF}\x{AC00}-\x{D7AF}]')
), stem AS (
    SELECT DISTINCT f.term_id
    FROM piece AS p
    JOIN term_form AS f ON f.form = p.form
), hit AS (
    SELECT p.chunk_id, sum(p.weight)::BIGINT AS total
    FROM stem AS s
    JOIN posting AS p ON p.term_id = s.term_id
    GROUP BY p.chunk_id
    ORDER BY total DESC, p.chunk_id
    LIMIT top
)
SELECT h.total / 65536.0::DOUBLE AS score, d.source, c.title, c.text, h.chunk_id
FROM hit AS h
JOIN chunk AS c ON c.chunk_id = h.chunk_id
JOIN document AS d ON d.document_id = c.document_id
ORDER BY h.total DESC, h.chunk_id
