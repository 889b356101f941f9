-- name: ingest.graph_edge
-- doc: Edges of the import that the corpus does not have yet.
-- params: first_id INTEGER
-- returns: none
-- order: none
INSERT INTO edge BY NAME
SELECT ($first_id::INTEGER + row_number() OVER (ORDER BY e.ordinal) - 1)::INTEGER AS edge_id,
       s.node_id AS source_id,
       r.relation_id,
       t.node_id AS target_id,
       e.label,
       e.fact,
       e.weight,
       e.properties::JSON AS properties,
       'graph' AS origin
FROM incoming_edge AS e
JOIN node AS s ON s.key = e.source AND s.origin = 'graph'
JOIN node AS t ON t.key = e.target AND t.origin = 'graph'
JOIN relation AS r ON r.relation = e.relation
ANTI JOIN (SELECT source_id, relation_id, target_id, label, fact, properties FROM edge WHERE origin = 'graph') AS known
  ON known.source_id = s.node_id AND known.relation_id = r.relation_id AND known.target_id = t.node_id
 AND known.label IS NOT DISTINCT FROM e.label AND known.fact IS NOT DISTINCT FROM e.fact
 AND known.properties::VARCHAR IS NOT DISTINCT FROM e.properties
