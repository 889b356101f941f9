-- name: ingest.extractions_of
-- doc: What a model said of some chunks.
-- params: chunk_ids INTEGER[]
-- returns: chunk_id INTEGER, facts JSON
-- order: chunk_id
SELECT chunk_id, facts
FROM extraction
WHERE facts IS NOT NULL AND chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
ORDER BY chunk_id
