-- name: link.all_names
-- doc: Every row that link.names can give: the names of a corpus, for a handle that keeps them in memory.
-- params: none
-- returns: alias_key VARCHAR, node_id INTEGER, is_title BOOLEAN, chunk_id INTEGER, name VARCHAR, origin VARCHAR,
--   kinds VARCHAR[], chunk_count INTEGER, degree INTEGER, alias VARCHAR
-- order: alias_key, is_title DESC, degree DESC, node_id, chunk_id, alias
SELECT a.alias_key, a.node_id, a.is_title, a.chunk_id, v.name, v.origin, v.kinds, v.chunk_count, v.degree, a.alias
FROM alias AS a
JOIN node AS v ON v.node_id = a.node_id
ORDER BY a.alias_key, a.is_title DESC, v.degree DESC, a.node_id, a.chunk_id, a.alias
