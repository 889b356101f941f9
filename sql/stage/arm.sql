-- name: stage.arm
-- doc: Anchors that are walked from each by a pattern of its own: the states of the automaton that are its. None for a
--   walk from all anchors at once.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW arm AS
SELECT question_id, unnest(arms, recursive := true)
FROM question
