-- name: ingest.edges_to_embed
-- doc: Edges that a model read and that have no vector; the rule-built ones need none.
-- params: none
-- returns: edge_id INTEGER, text VARCHAR
-- order: edge_id
SELECT e.edge_id, concat_ws(' ', s.name, r.relation, t.name) AS text
FROM edge AS e
JOIN relation AS r ON r.relation_id = e.relation_id
JOIN node AS s ON s.node_id = e.source_id
JOIN node AS t ON t.node_id = e.target_id
WHERE e.embedding IS NULL AND e.origin = 'text' AND r.relation <> 'stated_with'
ORDER BY e.edge_id
