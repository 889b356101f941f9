-- name: seed.cosine_sentence
-- doc: Mean of the cosine of the chunk and the best cosine of its sentences.
-- params: none
-- returns: question_id INTEGER, chunk_id INTEGER, cosine DOUBLE
-- order: none
SELECT p.question_id, p.chunk_id, (p.cosine + coalesce(s.cosine, p.cosine)) / 2 AS cosine
FROM (
    SELECT q.question_id, c.chunk_id,
           CASE WHEN c.embedding IS NOT NULL AND q.embedding IS NOT NULL  -- least(1, NULL) would be 1
                THEN least(1.0, array_inner_product(c.embedding, q.embedding) / 16000000.0::DOUBLE) END AS cosine
    FROM question AS q
    CROSS JOIN chunk AS c
) AS p
LEFT JOIN (
    SELECT q.question_id, s.chunk_id,
           max(least(1.0, array_inner_product(s.embedding, q.embedding) / 16000000.0::DOUBLE)) AS cosine
    FROM question AS q
    CROSS JOIN sentence AS s
    WHERE s.embedding IS NOT NULL AND q.embedding IS NOT NULL
    GROUP BY q.question_id, s.chunk_id
) AS s ON s.question_id = p.question_id AND s.chunk_id = p.chunk_id
