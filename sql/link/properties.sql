-- name: link.properties
-- doc: Properties of node kinds and of relations, and relations read as properties, with their types; of a text property
--   what it holds, where that is little. A file indexed before there were such texts has none.
-- params: none
-- returns: owner VARCHAR, label VARCHAR, property VARCHAR, type VARCHAR, value_count BIGINT, texts VARCHAR[]
-- order: owner, label, property
SELECT owner, label, property, type, value_count, texts
FROM (FROM schema_property UNION ALL BY NAME SELECT NULL::VARCHAR[] AS texts WHERE false)
ORDER BY owner, label, property
