-- name: ingest.set_node_vector
-- doc: Vectors of `incoming` become those of their nodes.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET embedding = incoming.embedding
FROM incoming
WHERE incoming.node_id = node.node_id
