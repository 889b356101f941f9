-- name: ingest.pending_chunks
-- doc: Chunks to index, in order.
-- params: none
-- returns: chunk_id INTEGER
-- order: chunk_id
SELECT DISTINCT chunk_id
FROM pending_chunk
ORDER BY chunk_id
