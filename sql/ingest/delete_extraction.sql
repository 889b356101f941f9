-- name: ingest.delete_extraction
-- doc: What a model said of some chunks goes.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM extraction
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
