-- name: stage.cue_term
-- doc: Terms that may stand beside a name as the relation asked for: those that begin like a word of the question.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW cue_term AS
SELECT question_id, unnest(cues, recursive := true)
FROM question
