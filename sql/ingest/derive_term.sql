-- name: ingest.derive_term
-- doc: Document frequency, idf and specificity of every stem; stems in no text and no name go.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE term AS
WITH in_chunks AS (
    SELECT term_id, count(*) AS n
    FROM posting
    GROUP BY term_id
), in_sentences AS (
    SELECT term_id, count(*) AS n
    FROM sentence_posting
    GROUP BY term_id
), in_names AS (
    SELECT DISTINCT term_id
    FROM name_posting
), size AS (
    SELECT (SELECT count(*) FROM chunk) AS chunks, greatest(2, (SELECT count(*) FROM sentence)) AS sentences
)
SELECT t.term_id,
       t.term,
       coalesce(c.n, 0)::INTEGER AS chunk_count,
       coalesce(s.n, 0)::INTEGER AS sentence_count,
       -- BM25's idf, never negative
       round(65536 * ln(1 + (z.chunks - coalesce(c.n, 0) + 0.5) / (coalesce(c.n, 0) + 0.5)))::BIGINT AS idf,
       round(65536 * ln(z.sentences / greatest(1, coalesce(s.n, 0))) / ln(z.sentences))::BIGINT AS specificity
FROM term AS t
CROSS JOIN size AS z
LEFT JOIN in_chunks AS c ON c.term_id = t.term_id
LEFT JOIN in_sentences AS s ON s.term_id = t.term_id
WHERE c.n IS NOT NULL OR s.n IS NOT NULL OR t.term_id IN (SELECT term_id FROM in_names)
ORDER BY t.term
