-- name: ingest.set_edge_vector
-- doc: Vectors of `incoming` become those of their edges.
-- params: none
-- returns: none
-- order: none
UPDATE edge
SET embedding = incoming.embedding
FROM incoming
WHERE incoming.edge_id = edge.edge_id
