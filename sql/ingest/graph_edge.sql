-- name: ingest.graph_edge
-- doc: Rows of the Arrow table `incoming` become edges of an imported graph.
-- params: none
-- returns: none
-- order: none
INSERT INTO edge BY NAME
SELECT edge_id, source_id, relation_id, target_id, label, fact, weight, properties::JSON AS properties, 'graph' AS origin
FROM incoming
