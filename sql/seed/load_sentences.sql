-- name: seed.load_sentences
-- doc: The sentence vectors as lists, chunk by chunk.
-- params: none
-- returns: chunk_id INTEGER, embedding FLOAT[]
-- order: chunk_id, sentence_id
SELECT chunk_id, embedding::FLOAT[] AS embedding
FROM sentence
WHERE embedding IS NOT NULL
ORDER BY chunk_id, sentence_id
