-- name: seed.no_base
-- doc: No base score: a walk over relations starts from the nodes that the question names, not from chunks.
-- params: none
-- returns: question_id INTEGER, chunk_id INTEGER, group_id INTEGER, place BIGINT, score DOUBLE, share_of_best DOUBLE,
--   plain_score DOUBLE, lexical DOUBLE, cosine DOUBLE, title_weight DOUBLE, covered BIGINT
-- order: none
SELECT question_id,
       NULL::INTEGER AS chunk_id,
       NULL::INTEGER AS group_id,
       NULL::BIGINT AS place,
       NULL::DOUBLE AS score,
       NULL::DOUBLE AS share_of_best,
       NULL::DOUBLE AS plain_score,
       NULL::DOUBLE AS lexical,
       NULL::DOUBLE AS cosine,
       NULL::DOUBLE AS title_weight,
       NULL::BIGINT AS covered
FROM question
WHERE false
