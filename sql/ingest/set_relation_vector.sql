-- name: ingest.set_relation_vector
-- doc: Vectors of `incoming` become those of their relations.
-- params: none
-- returns: none
-- order: none
UPDATE relation
SET embedding = incoming.embedding
FROM incoming
WHERE incoming.relation_id = relation.relation_id
