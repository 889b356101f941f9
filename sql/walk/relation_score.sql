-- name: walk.relation_score
-- doc: Cosine of question and relation label; the share of shared words where there is no vector. A facet is covered from
--   a cosine of 0.45 on.
-- params: none
-- returns: question_id INTEGER, relation_id INTEGER, similarity DOUBLE, facets BIGINT
-- order: question_id, relation_id
WITH overlap AS (
    SELECT q.question_id, r.relation_id, sum(q.idf)::BIGINT AS idf
    FROM relation AS r
    JOIN question_term AS q ON contains(' ' || replace(lower(r.relation), '_', ' ') || ' ', ' ' || q.stem)
    GROUP BY q.question_id, r.relation_id
), total AS (
    SELECT question_id, greatest(1, sum(idf))::BIGINT AS idf
    FROM question_term
    GROUP BY question_id
), facet AS (
    SELECT f.question_id, r.relation_id, bit_or(1::BIGINT << f.query_no) AS facets
    FROM query AS f
    CROSS JOIN relation AS r
    WHERE f.role = 'facet'
      AND CASE WHEN r.embedding IS NOT NULL AND f.embedding IS NOT NULL
               THEN list_inner_product(r.embedding, f.embedding) END / 16000000.0::DOUBLE >= 0.45
    GROUP BY f.question_id, r.relation_id
)
SELECT q.question_id,
       r.relation_id,
       CASE WHEN r.embedding IS NULL OR q.embedding IS NULL THEN coalesce(o.idf / t.idf, 0)
            ELSE greatest(0, least(1, list_inner_product(r.embedding, q.embedding) / 16000000.0::DOUBLE))
            END::DOUBLE AS similarity,
       coalesce(f.facets, 0) AS facets
FROM question AS q
CROSS JOIN relation AS r
LEFT JOIN total AS t ON t.question_id = q.question_id
LEFT JOIN overlap AS o ON o.question_id = q.question_id AND o.relation_id = r.relation_id
LEFT JOIN facet AS f ON f.question_id = q.question_id AND f.relation_id = r.relation_id
ORDER BY q.question_id, r.relation_id
