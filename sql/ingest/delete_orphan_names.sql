-- name: ingest.delete_orphan_names
-- doc: Names of nodes that are gone go.
-- params: none
-- returns: none
-- order: none
DELETE FROM alias
WHERE node_id NOT IN (SELECT node_id FROM node)
