-- name: ingest.await_all
-- doc: Every chunk is to be read again.
-- params: none
-- returns: none
-- order: none
INSERT INTO pending_chunk
SELECT chunk_id
FROM chunk
WHERE chunk_id NOT IN (SELECT chunk_id FROM pending_chunk)
ORDER BY chunk_id
