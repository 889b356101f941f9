-- name: context.kept_evidence
-- doc: The units of evidence that were kept, best first: what a script ends with.
-- params: none
-- slots: units
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source VARCHAR,
--   path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, fact VARCHAR, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, fact, kept, pruned_by
FROM (
    /*<units>*/
    SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, NULL::VARCHAR AS fact, kept,
           pruned_by
    FROM evidence
    /*</units>*/
)
WHERE kept
ORDER BY question_id, rank
