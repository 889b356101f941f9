-- name: ingest.delete_edge_chunk
-- doc: Sources of edges in some chunks go.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM edge_chunk
WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
