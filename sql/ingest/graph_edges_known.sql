-- name: ingest.graph_edges_known
-- doc: Which edges of an import the corpus has already.
-- params: none
-- returns: ordinal INTEGER
-- order: ordinal
SELECT i.ordinal
FROM incoming AS i
SEMI JOIN (SELECT source_id, relation_id, target_id, label, fact, properties FROM edge WHERE origin = 'graph') AS known
  ON known.source_id = i.source_id AND known.relation_id = i.relation_id AND known.target_id = i.target_id
 AND known.label IS NOT DISTINCT FROM i.label AND known.fact IS NOT DISTINCT FROM i.fact
 AND known.properties::VARCHAR IS NOT DISTINCT FROM i.properties
ORDER BY i.ordinal
