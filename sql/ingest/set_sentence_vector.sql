-- name: ingest.set_sentence_vector
-- doc: Vectors of `incoming` become those of their sentences.
-- params: none
-- returns: none
-- order: none
UPDATE sentence
SET embedding = incoming.embedding
FROM incoming
WHERE incoming.sentence_id = sentence.sentence_id
