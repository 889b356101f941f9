-- name: link.names
-- doc: Nodes that answer to some normalised names, best known first.
-- params: keys VARCHAR[]
-- returns: alias_key VARCHAR, node_id INTEGER, name VARCHAR, origin VARCHAR, kinds VARCHAR[], is_title BOOLEAN,
--   chunk_count INTEGER, degree INTEGER
-- order: alias_key, is_title DESC, degree DESC, node_id
SELECT a.alias_key,
       a.node_id,
       v.name,
       v.origin,
       coalesce(v.kinds, []) AS kinds,
       bool_or(a.is_title) AS is_title,
       coalesce(max(v.chunk_count), 0)::INTEGER AS chunk_count,
       coalesce(max(v.degree), 0)::INTEGER AS degree
FROM alias AS a
JOIN node AS v ON v.node_id = a.node_id
WHERE a.alias_key IN (SELECT unnest($keys::VARCHAR[]))
GROUP BY a.alias_key, a.node_id, v.name, v.origin, v.kinds
ORDER BY a.alias_key, is_title DESC, degree DESC, a.node_id
