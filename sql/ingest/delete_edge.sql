-- name: ingest.delete_edge
-- doc: Facts read from some chunks go; run before edge_chunk does.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM edge
WHERE origin = 'text' AND edge_id IN (
    SELECT edge_id
    FROM edge_chunk
    WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
)
