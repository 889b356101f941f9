-- name: ingest.nodes_to_embed
-- doc: Names without a vector: titles, names in two chunks or more, ends of edges that a model read, or every node of
--   a graph.
-- params: graph_names BOOLEAN
-- returns: node_id INTEGER, text VARCHAR
-- order: node_id
WITH related AS (
    SELECT unnest([e.source_id, e.target_id]) AS node_id
    FROM edge AS e
    JOIN relation AS r ON r.relation_id = e.relation_id
    WHERE e.origin = 'text' AND r.relation <> 'stated_with'
)
SELECT v.node_id, CASE WHEN v.description IS NULL THEN v.name ELSE v.name || '. ' || v.description END AS text
FROM node AS v
WHERE v.embedding IS NULL
  AND (
      (v.origin = 'text' AND (v.chunk_count >= 2
                               OR v.node_id IN (SELECT node_id FROM title_page)
                               OR v.node_id IN (SELECT node_id FROM related)))
      OR (v.origin = 'graph' AND $graph_names::BOOLEAN)
  )
ORDER BY v.node_id
