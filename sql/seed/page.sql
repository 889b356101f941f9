-- name: seed.page
-- doc: Chunks whose title the question names, per target, and how many chunks bear that title.
-- params: none
-- returns: question_id INTEGER, group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT
-- order: question_id, group_id, chunk_id
SELECT question_id, group_id, chunk_id, weight, count(*) OVER (PARTITION BY question_id, group_id) AS pages
FROM (
    SELECT DISTINCT t.question_id, t.group_id, a.chunk_id, t.weight
    FROM target AS t
    JOIN alias AS a ON a.alias_key = t.alias_key
    WHERE a.is_title
)
ORDER BY question_id, group_id, chunk_id
