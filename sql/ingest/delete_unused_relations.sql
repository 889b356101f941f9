-- name: ingest.delete_unused_relations
-- doc: Relations that no edge has any more go; the rule-built one stays.
-- params: none
-- returns: none
-- order: none
DELETE FROM relation
WHERE relation <> 'stated_with' AND relation_id NOT IN (SELECT DISTINCT relation_id FROM edge)
