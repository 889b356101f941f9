-- name: ingest.relations_to_embed
-- doc: Relation labels without a vector; the rule-built relation needs none.
-- params: none
-- returns: relation_id INTEGER, text VARCHAR
-- order: relation_id
SELECT relation_id, replace(relation, '_', ' ') AS text
FROM relation
WHERE embedding IS NULL AND relation <> 'stated_with'
ORDER BY relation_id
