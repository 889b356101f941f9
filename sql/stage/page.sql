-- name: stage.page
-- doc: Chunks whose title the question names, per target, and how many chunks bear that title.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW page AS
SELECT question_id, unnest(pages, recursive := true)
FROM question
