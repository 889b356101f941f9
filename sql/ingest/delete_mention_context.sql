-- name: ingest.delete_mention_context
-- doc: Rows of mention_context that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM mention_context
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
