-- name: link.aliases
-- doc: What some nodes are called.
-- params: node_ids INTEGER[]
-- returns: node_id INTEGER, alias VARCHAR, alias_key VARCHAR
-- order: node_id, alias_key, alias
SELECT DISTINCT node_id, alias, alias_key
FROM alias
WHERE node_id IN (SELECT unnest($node_ids::INTEGER[]))
ORDER BY node_id, alias_key, alias
