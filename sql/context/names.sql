-- name: context.names
-- doc: What nodes, chunks and edges of a walk are called: a chunk by its title or source, an edge by its label or relation.
-- params: node_ids INTEGER[], chunk_ids INTEGER[], edge_ids INTEGER[]
-- returns: item_kind VARCHAR, item_id INTEGER, name VARCHAR
-- order: item_kind, item_id
SELECT 'node' AS item_kind, node_id AS item_id, name
FROM node
WHERE node_id IN (SELECT unnest($node_ids::INTEGER[]))
UNION ALL
SELECT 'chunk', c.chunk_id, coalesce(nullif(c.title, ''), d.source)
FROM chunk AS c
JOIN document AS d ON d.document_id = c.document_id
WHERE c.chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
UNION ALL
SELECT 'edge', e.edge_id, coalesce(nullif(e.label, ''), r.relation)
FROM edge AS e
JOIN relation AS r ON r.relation_id = e.relation_id
WHERE e.edge_id IN (SELECT unnest($edge_ids::INTEGER[]))
ORDER BY item_kind, item_id
