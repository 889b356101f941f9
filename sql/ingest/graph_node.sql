-- name: ingest.graph_node
-- doc: Nodes of an imported graph that the corpus does not have yet; `incoming_node` in order of first
--   appearance.
-- params: first_id INTEGER
-- returns: none
-- order: none
INSERT INTO node BY NAME
SELECT ($first_id::INTEGER + row_number() OVER (ORDER BY i.ordinal) - 1)::INTEGER AS node_id,
       i.name,
       i.key,
       CASE WHEN i.kind IS NULL THEN []::VARCHAR[] ELSE [i.kind] END AS kinds,
       i.description,
       i.properties::JSON AS properties,
       'graph' AS origin
FROM incoming_node AS i
ANTI JOIN (SELECT key FROM node WHERE origin = 'graph') AS known ON known.key = i.key
