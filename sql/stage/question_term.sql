-- name: stage.question_term
-- doc: The question's content stems, found in the corpus or not; each has a bit of `covered`.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW question_term AS
SELECT question_id, unnest(terms, recursive := true)
FROM question
