-- name: ingest.known_nodes
-- doc: Every node of the text by its key.
-- params: none
-- returns: key VARCHAR, node_id INTEGER
-- order: node_id
SELECT key, node_id
FROM node
WHERE origin = 'text'
ORDER BY node_id
