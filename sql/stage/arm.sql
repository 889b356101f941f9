-- name: stage.arm
-- doc: Anchors that are walked from each in states of the automaton that are its own: by a pattern of its own, or since
--   it may be reached from another. A name that several nodes bear has a row for each (`node_id`), all of one arm. None
--   for a walk from all anchors at once.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW arm AS
SELECT question_id, unnest(arms, recursive := true)
FROM question
