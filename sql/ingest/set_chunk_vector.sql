-- name: ingest.set_chunk_vector
-- doc: Vectors of `incoming` become those of their chunks.
-- params: none
-- returns: none
-- order: none
UPDATE chunk
SET embedding = incoming.embedding
FROM incoming
WHERE incoming.chunk_id = chunk.chunk_id
