-- name: ingest.nodes_to_embed
-- doc: Names without a vector: titles and names in two chunks or more, or every node of a graph.
-- params: graph_names BOOLEAN
-- returns: node_id INTEGER, text VARCHAR
-- order: node_id
SELECT v.node_id, if(v.description IS NULL, v.name, v.name || '. ' || v.description) AS text
FROM node AS v
WHERE v.embedding IS NULL
  AND (
      (v.origin = 'text' AND (v.chunk_count >= 2 OR v.node_id IN (SELECT node_id FROM title_page)))
      OR (v.origin = 'graph' AND $graph_names::BOOLEAN)
  )
ORDER BY v.node_id
