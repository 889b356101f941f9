-- name: link.indexed_alias
-- doc: The names of one normalised key, by the index that large corpora have on alias_key; as link.indexed_aliases of
--   many.
-- params: key VARCHAR
-- returns: alias_key VARCHAR, node_id INTEGER, is_title BOOLEAN, chunk_id INTEGER, alias VARCHAR
-- order: node_id, is_title, chunk_id, alias
SELECT alias_key, node_id, is_title, chunk_id, alias
FROM alias
WHERE alias_key = $key::VARCHAR
ORDER BY node_id, is_title, chunk_id, alias
