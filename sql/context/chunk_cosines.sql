-- name: context.chunk_cosines
-- doc: How like a question some chunks are, by their stored vectors; a chunk without one is left out.
-- params: chunk_ids INTEGER[], vector FLOAT[]
-- returns: chunk_id INTEGER, cosine DOUBLE
-- order: chunk_id
SELECT chunk_id, least(1.0, list_inner_product(embedding::FLOAT[], $vector::FLOAT[]) / 16000000.0::DOUBLE) AS cosine
FROM chunk
WHERE list_contains($chunk_ids::INTEGER[], chunk_id) AND embedding IS NOT NULL
ORDER BY chunk_id
