-- name: ingest.graph_node_ids
-- doc: Ids of the nodes of the import, new and known.
-- params: none
-- returns: ordinal INTEGER, node_id INTEGER
-- order: ordinal
SELECT i.ordinal::INTEGER AS ordinal, v.node_id
FROM incoming_node AS i
JOIN node AS v ON v.key = i.key AND v.origin = 'graph'
ORDER BY i.ordinal
