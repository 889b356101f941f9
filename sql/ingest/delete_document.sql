-- name: ingest.delete_document
-- doc: Documents go.
-- params: document_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM document
WHERE document_id IN (SELECT unnest($document_ids::INTEGER[]))
