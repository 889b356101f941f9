-- name: seed.question_term
-- doc: The question's content stems, found in the corpus or not; each has a bit of `covered`.
-- params: question_terms STRUCT(question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id
--   INTEGER, idf BIGINT)[]
-- returns: question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT
-- order: question_id, term_no
SELECT question_id, term_no, stem, is_cue, term_id, idf
FROM (
    SELECT unnest($question_terms::STRUCT(
        question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT
    )[], recursive := true)
)
ORDER BY question_id, term_no
