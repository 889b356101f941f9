-- name: seed.cosine_chunk
-- doc: Cosine of question and chunk; products on the 4000 grid are exact in any order.
-- params: none
-- returns: question_id INTEGER, chunk_id INTEGER, cosine DOUBLE
-- order: none
SELECT q.question_id, c.chunk_id, least(1.0, array_inner_product(c.embedding, q.embedding) / 16000000.0::DOUBLE) AS cosine
FROM question AS q
CROSS JOIN chunk AS c
WHERE c.embedding IS NOT NULL AND q.embedding IS NOT NULL
