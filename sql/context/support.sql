-- name: context.support
-- doc: Best cosine of a question with a chunk of its kept evidence, and the words it shares with it.
-- params: none
-- returns: question_id INTEGER, support DOUBLE, covered BIGINT
-- order: question_id
SELECT e.question_id,
       coalesce(max(b.cosine), 0)::DOUBLE AS support,
       bit_or(coalesce(b.covered, 0)) AS covered
FROM evidence AS e
LEFT JOIN base AS b ON b.question_id = e.question_id AND b.chunk_id = e.chunk_id
WHERE e.kept
GROUP BY e.question_id
ORDER BY e.question_id
