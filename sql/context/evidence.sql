-- name: context.evidence
-- doc: The evidence stage with the document each source chunk is from, and how like the question it is.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source VARCHAR,
--   path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, fact VARCHAR, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
SELECT e.question_id, e.rank, e.unit_kind, e.unit_id, e.chunk_id, d.source, e.path_id, e.role, e.score, b.cosine,
       NULL::VARCHAR AS fact, e.kept, e.pruned_by
FROM evidence AS e
LEFT JOIN chunk AS c ON c.chunk_id = e.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
LEFT JOIN base AS b ON b.question_id = e.question_id AND b.chunk_id = e.chunk_id
ORDER BY e.question_id, e.rank
