-- name: ingest.delete_alias
-- doc: Titles that some chunks gave go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM alias
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
