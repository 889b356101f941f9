-- name: ingest.sentences_of
-- doc: Text and sentences of some chunks.
-- params: chunk_ids INTEGER[]
-- returns: chunk_id INTEGER, text VARCHAR, sentence_id INTEGER, char_start INTEGER, char_end INTEGER
-- order: chunk_id, ordinal
SELECT c.chunk_id, c.text, s.sentence_id, s.char_start, s.char_end
FROM chunk AS c
JOIN sentence AS s ON s.chunk_id = c.chunk_id
WHERE c.chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
ORDER BY c.chunk_id, s.ordinal
