-- name: ingest.names_of_nodes
-- doc: Distinct names of every node.
-- params: none
-- returns: node_id INTEGER, alias VARCHAR
-- order: node_id, alias
SELECT DISTINCT node_id, alias
FROM alias
ORDER BY node_id, alias
