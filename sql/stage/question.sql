-- name: stage.question
-- doc: The questions of a batch with their vectors on the 4000 grid (none without an embedder), the idf of their
--   terms and its sum. `dimension` is written in as a literal, since a type takes no parameter.
-- params: questions STRUCT(question_id INTEGER, text VARCHAR, embedding FLOAT[], idf BIGINT[], idf_total
--   BIGINT)[], dimension INTEGER
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE question AS
SELECT question_id, text, embedding::FLOAT[$dimension] AS embedding, idf, idf_total
FROM (
    SELECT unnest($questions::STRUCT(
        question_id INTEGER, text VARCHAR, embedding FLOAT[], idf BIGINT[], idf_total BIGINT
    )[], recursive := true)
)
ORDER BY question_id
