-- name: link.exact_names
-- doc: Nodes by their exact name: reads every node, so it is the last resort.
-- params: names VARCHAR[]
-- returns: node_id INTEGER, name VARCHAR
-- order: name, node_id
SELECT node_id, name
FROM node
WHERE name IN (SELECT unnest($names::VARCHAR[]))
ORDER BY name, node_id
