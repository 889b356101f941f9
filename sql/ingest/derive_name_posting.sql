-- name: ingest.derive_name_posting
-- doc: BM25 over node names and aliases; `incoming` has the stems of each name.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE name_posting AS
WITH df AS (
    SELECT term_id, count(*) AS n
    FROM incoming
    GROUP BY term_id
), size AS (
    SELECT count(*) AS n
    FROM node
)
SELECT i.term_id,
       i.node_id,
       -- short texts: length matters fully (b = 1), frequency does not
       round(65536 * ln(1 + (z.n - d.n + 0.5) / (d.n + 0.5)) * 2.2 / (1 + 1.2 * i.length / 2.0))::BIGINT AS weight
FROM incoming AS i
JOIN df AS d ON d.term_id = i.term_id
CROSS JOIN size AS z
ORDER BY i.term_id, i.node_id
