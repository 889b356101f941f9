-- name: store.documents_like
-- doc: Documents by source, exact.
-- params: sources VARCHAR[]
-- returns: document_id INTEGER, source VARCHAR
-- order: document_id
SELECT document_id, source
FROM document
WHERE source IN (SELECT unnest($sources::VARCHAR[]))
ORDER BY document_id
