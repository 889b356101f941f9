-- name: seed.page
-- doc: Chunks whose title the question names, per target, and how many chunks bear that title.
-- params: pages STRUCT(question_id INTEGER, group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[]
-- returns: question_id INTEGER, group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT
-- order: question_id, group_id, chunk_id
SELECT question_id, group_id, chunk_id, weight, pages
FROM (
    SELECT unnest($pages::STRUCT(
        question_id INTEGER, group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT
    )[], recursive := true)
)
ORDER BY question_id, group_id, chunk_id
