-- name: stage.question
-- doc: The questions of a batch with their vectors on the 4000 grid; no vector without an embedder. `dimension`
--   is written in as a literal, since a type takes no parameter.
-- params: questions STRUCT(question_id INTEGER, text VARCHAR, embedding FLOAT[])[], dimension INTEGER
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE question AS
SELECT question_id, text, embedding::FLOAT[$dimension] AS embedding
FROM (
    SELECT unnest($questions::STRUCT(question_id INTEGER, text VARCHAR, embedding FLOAT[])[], recursive := true)
)
ORDER BY question_id
