-- name: ingest.delete_chunk
-- doc: Rows of chunk that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM chunk
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
