-- name: ingest.delete_sentence
-- doc: Sentences of some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM sentence
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
