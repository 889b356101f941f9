-- name: ingest.chunks_of
-- doc: Chunks of some documents.
-- params: document_ids INTEGER[]
-- returns: chunk_id INTEGER
-- order: chunk_id
SELECT chunk_id
FROM chunk
WHERE document_id IN (SELECT unnest($document_ids::INTEGER[]))
ORDER BY chunk_id
