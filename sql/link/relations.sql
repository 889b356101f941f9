-- name: link.relations
-- doc: Relations by id.
-- params: none
-- returns: relation_id INTEGER, relation VARCHAR
-- order: relation_id
SELECT relation_id, relation
FROM relation
ORDER BY relation_id
