-- name: walk.edge_score
-- doc: Edges that a fact, a vector or an anchor's chunk speaks for. Where an edge has no vector the cosine terms
--   of eq. 8 are the idf overlap of question and stating sentence, and `form` says so. A facet is covered from a
--   cosine of 0.45 on, or from 0.6 of its words by idf in the sentence.
-- params: none
-- returns: question_id INTEGER, edge_id INTEGER, similarity DOUBLE, alignment DOUBLE, anchored BOOLEAN, form
--   VARCHAR, facets BIGINT
-- order: question_id, edge_id
WITH total AS (
    SELECT question_id, greatest(1, sum(idf))::BIGINT AS idf
    FROM question_term
    GROUP BY question_id
), fact AS (  -- share of the question's words in a sentence
    SELECT q.question_id, p.sentence_id, sum(q.idf)::BIGINT AS idf
    FROM question_term AS q
    JOIN sentence_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.sentence_id
), said AS (
    SELECT f.question_id, e.edge_id, f.idf / t.idf::DOUBLE AS overlap
    FROM fact AS f
    JOIN total AS t ON t.question_id = f.question_id
    JOIN edge AS e ON e.fact_id = f.sentence_id
), close AS (
    SELECT q.question_id, e.edge_id,
           greatest(0, least(1, list_inner_product(e.embedding, q.embedding) / 16000000.0::DOUBLE)) AS cosine
    FROM question AS q
    CROSS JOIN edge AS e
    WHERE e.embedding IS NOT NULL AND q.embedding IS NOT NULL
), anchor_chunk AS (  -- chunks that mention a target, or are about it
    SELECT t.question_id, m.chunk_id FROM target AS t JOIN mention AS m ON m.node_id = t.node_id
    UNION
    SELECT t.question_id, p.chunk_id FROM target AS t JOIN title_page AS p ON p.node_id = t.node_id
), anchored AS (
    SELECT DISTINCT a.question_id, e.edge_id
    FROM anchor_chunk AS a
    JOIN edge_chunk AS e ON e.chunk_id = a.chunk_id
), facet_word AS (
    SELECT question_id, query_no, idf_total, unnest(terms, recursive := true)
    FROM query
    WHERE role = 'facet'
), facet_said AS (
    SELECT f.question_id, f.query_no, p.sentence_id
    FROM facet_word AS f
    JOIN sentence_posting AS p ON p.term_id = f.term_id
    GROUP BY f.question_id, f.query_no, p.sentence_id, f.idf_total
    HAVING sum(f.idf)::BIGINT >= 0.6 * f.idf_total
), facet AS (
    SELECT question_id, edge_id, bit_or(1::BIGINT << query_no) AS facets
    FROM (
        SELECT f.question_id, f.query_no, e.edge_id
        FROM facet_said AS f
        JOIN edge AS e ON e.fact_id = f.sentence_id
        UNION ALL
        SELECT f.question_id, f.query_no, e.edge_id
        FROM query AS f
        CROSS JOIN edge AS e
        WHERE f.role = 'facet' AND e.embedding IS NOT NULL
          AND CASE WHEN e.embedding IS NOT NULL AND f.embedding IS NOT NULL
                   THEN list_inner_product(e.embedding, f.embedding) END / 16000000.0::DOUBLE >= 0.45
    )
    GROUP BY question_id, edge_id
), found AS (
    SELECT question_id, edge_id FROM said
    UNION
    SELECT question_id, edge_id FROM close
    UNION
    SELECT question_id, edge_id FROM anchored
    UNION
    SELECT question_id, edge_id FROM facet
)
SELECT f.question_id,
       f.edge_id,
       coalesce(c.cosine, s.overlap)::DOUBLE AS similarity,
       coalesce(c.cosine, s.overlap)::DOUBLE AS alignment,
       a.edge_id IS NOT NULL AS anchored,
       CASE WHEN c.cosine IS NOT NULL THEN 'cosine' WHEN s.overlap IS NOT NULL THEN 'overlap' END AS form,
       coalesce(t.facets, 0) AS facets
FROM found AS f
LEFT JOIN said AS s ON s.question_id = f.question_id AND s.edge_id = f.edge_id
LEFT JOIN close AS c ON c.question_id = f.question_id AND c.edge_id = f.edge_id
LEFT JOIN anchored AS a ON a.question_id = f.question_id AND a.edge_id = f.edge_id
LEFT JOIN facet AS t ON t.question_id = f.question_id AND t.edge_id = f.edge_id
ORDER BY f.question_id, f.edge_id
