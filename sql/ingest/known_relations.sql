-- name: ingest.known_relations
-- doc: Every relation.
-- params: none
-- returns: relation VARCHAR, relation_id INTEGER
-- order: relation_id
SELECT relation, relation_id
FROM relation
ORDER BY relation_id
