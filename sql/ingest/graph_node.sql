-- name: ingest.graph_node
-- doc: Rows of the Arrow table `incoming` become nodes of an imported graph.
-- params: none
-- returns: none
-- order: none
INSERT INTO node BY NAME
SELECT node_id,
       name,
       key,
       CASE WHEN kind IS NULL THEN []::VARCHAR[] ELSE [kind] END AS kinds,
       description,
       properties::JSON AS properties,
       'graph' AS origin
FROM incoming
