-- name: ingest.known_documents
-- doc: Source and content hash of every document.
-- params: none
-- returns: source VARCHAR, hash VARCHAR, document_id INTEGER
-- order: document_id
SELECT source, hash, document_id
FROM document
ORDER BY document_id
