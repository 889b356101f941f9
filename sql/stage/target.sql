-- name: stage.target
-- doc: Names found in the question and the nodes they are linked to.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW target AS
SELECT question_id, unnest(targets, recursive := true)
FROM question
