-- name: ingest.delete_pending_chunk
-- doc: Rows of pending_chunk that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM pending_chunk
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
