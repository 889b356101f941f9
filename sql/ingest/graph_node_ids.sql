-- name: ingest.graph_node_ids
-- doc: Which nodes of an import the corpus has already.
-- params: none
-- returns: ordinal INTEGER, node_id INTEGER
-- order: ordinal
SELECT i.ordinal, v.node_id
FROM incoming AS i
JOIN node AS v ON v.key = i.key AND v.origin = 'graph'
ORDER BY i.ordinal
