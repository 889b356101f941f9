-- name: stage.transition
-- doc: The automaton of the question's path pattern; NULL is any relation, either direction, any kind.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW transition AS
SELECT question_id, unnest(transitions, recursive := true)
FROM question
