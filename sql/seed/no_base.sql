-- name: seed.no_base
-- doc: No base score: a walk over relations starts from the nodes that the question names, not from chunks.
-- params: none
-- returns: question_id INTEGER, chunk_id INTEGER, score DOUBLE, plain_score DOUBLE, lexical DOUBLE, cosine DOUBLE,
--   title_weight DOUBLE, covered BIGINT
-- order: none
SELECT question_id,
       NULL::INTEGER AS chunk_id,
       NULL::DOUBLE AS score,
       NULL::DOUBLE AS plain_score,
       NULL::DOUBLE AS lexical,
       NULL::DOUBLE AS cosine,
       NULL::DOUBLE AS title_weight,
       NULL::BIGINT AS covered
FROM question
WHERE false
