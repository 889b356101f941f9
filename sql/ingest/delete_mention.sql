-- name: ingest.delete_mention
-- doc: Rows of mention that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM mention
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
