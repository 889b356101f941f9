-- name: link.properties
-- doc: Properties of node kinds and of relations, and relations read as properties, with their types.
-- params: none
-- returns: owner VARCHAR, label VARCHAR, property VARCHAR, type VARCHAR, value_count BIGINT
-- order: owner, label, property
SELECT owner, label, property, type, value_count
FROM schema_property
ORDER BY owner, label, property
