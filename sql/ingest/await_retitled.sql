-- name: ingest.await_retitled
-- doc: Chunks that name a title which some chunks gave are to be read again.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
INSERT INTO pending_chunk
SELECT DISTINCT m.chunk_id
FROM alias AS a
JOIN mention AS m ON m.node_id = a.node_id AND m.origin = 'title'
WHERE a.chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
  AND m.chunk_id NOT IN (SELECT chunk_id FROM pending_chunk)
ORDER BY m.chunk_id
