-- name: context.weights
-- doc: How telling each content stem of a question is, in [0, 1]; a stem the corpus does not have tells most.
-- params: none
-- returns: question_id INTEGER, stem VARCHAR, known BOOLEAN, weight DOUBLE
-- order: question_id, term_no
SELECT question_id,
       stem,
       term_id IS NOT NULL AS known,
       CASE WHEN term_id IS NULL THEN 1.0 ELSE least(1.0, idf / greatest(1, max(idf) OVER (PARTITION BY question_id))) END::DOUBLE
           AS weight
FROM question_term
ORDER BY question_id, term_no
