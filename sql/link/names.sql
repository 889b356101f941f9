-- name: link.names
-- doc: Nodes that answer to some normalised names, and for a title the chunk that bears it; one row per name as it is
--   written, node and chunk.
-- params: keys VARCHAR[]
-- returns: alias_key VARCHAR, node_id INTEGER, is_title BOOLEAN, chunk_id INTEGER, name VARCHAR, origin VARCHAR,
--   kinds VARCHAR[], chunk_count INTEGER, degree INTEGER, alias VARCHAR
-- order: alias_key, is_title DESC, degree DESC, node_id, chunk_id, alias
SELECT a.alias_key, a.node_id, a.is_title, a.chunk_id, v.name, v.origin, v.kinds, v.chunk_count, v.degree, a.alias
FROM alias AS a
JOIN node AS v ON v.node_id = a.node_id
WHERE a.alias_key IN (SELECT unnest($keys::VARCHAR[]))
ORDER BY a.alias_key, a.is_title DESC, v.degree DESC, a.node_id, a.chunk_id, a.alias
