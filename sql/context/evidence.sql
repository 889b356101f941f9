-- name: context.evidence
-- doc: The evidence stage as it is, in the order it was filled.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source VARCHAR,
--   path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, fact VARCHAR, kept BOOLEAN, pruned_by VARCHAR
-- order: as filled
SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, NULL::VARCHAR AS fact, kept,
       pruned_by
FROM evidence
