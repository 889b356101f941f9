-- name: seed.question_term
-- doc: The question's content stems, found in the corpus or not.
-- params: question_terms STRUCT(question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN)[]
-- returns: question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT
-- order: question_id, term_no
SELECT q.question_id,
       q.term_no,
       q.stem,
       q.is_cue,
       t.term_id,
       coalesce(t.idf, 0) AS idf
FROM (
    SELECT unnest($question_terms::STRUCT(
        question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN
    )[], recursive := true)
) AS q
LEFT JOIN term AS t ON t.term = q.stem
ORDER BY q.question_id, q.term_no
