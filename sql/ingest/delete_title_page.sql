-- name: ingest.delete_title_page
-- doc: Rows of title_page that belong to some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM title_page
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
