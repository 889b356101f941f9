-- name: ingest.settle_aliases
-- doc: The plain name of a node of the text follows the node's name.
-- params: none
-- slots: none
-- returns: none
-- order: none
UPDATE alias
SET alias = node.name
FROM node
WHERE node.node_id = alias.node_id
  AND node.origin = 'text'
  AND NOT alias.is_title
  AND alias.chunk_id IS NULL
  AND alias.alias <> node.name
