-- name: ingest.derive_posting
-- doc: Finished BM25 weights (k1 1.2, b 0.75) in 2^-16, stored in term_id order: a query is one sum.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE posting AS
WITH average AS (
    SELECT greatest(1, avg(term_count)) AS length
    FROM chunk
)
SELECT p.term_id,
       p.chunk_id,
       p.tf,
       round(t.idf * p.tf * 2.2 / (p.tf + 1.2 * (0.25 + 0.75 * c.term_count / a.length)))::BIGINT AS weight
FROM posting AS p
JOIN term AS t ON t.term_id = p.term_id
JOIN chunk AS c ON c.chunk_id = p.chunk_id
CROSS JOIN average AS a
ORDER BY p.term_id, p.chunk_id
