-- name: seed.load_chunks
-- doc: Every chunk with its vector as a list, NULL for none: what leaves the engine has no fixed width.
-- params: none
-- returns: chunk_id INTEGER, embedding FLOAT[]
-- order: chunk_id
SELECT chunk_id, embedding::FLOAT[] AS embedding
FROM chunk
ORDER BY chunk_id
