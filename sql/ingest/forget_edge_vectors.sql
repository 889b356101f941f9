-- name: ingest.forget_edge_vectors
-- doc: Edges of a name that has no vector, because it is new or was renamed, have none either.
-- params: none
-- returns: none
-- order: none
UPDATE edge
SET embedding = NULL
WHERE embedding IS NOT NULL
  AND origin = 'text'
  AND (source_id IN (SELECT node_id FROM node WHERE embedding IS NULL)
       OR target_id IN (SELECT node_id FROM node WHERE embedding IS NULL))
