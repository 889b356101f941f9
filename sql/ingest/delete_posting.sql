-- name: ingest.delete_posting
-- doc: Rows of posting that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM posting
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
