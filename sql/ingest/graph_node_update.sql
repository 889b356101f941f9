-- name: ingest.graph_node_update
-- doc: Rows of the Arrow table `incoming` take the place of what nodes have.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET name = i.name,
    kinds = i.kinds,
    description = i.description,
    properties = i.properties::JSON,
    embedding = CASE WHEN i.is_renamed THEN NULL ELSE embedding END
FROM incoming AS i
WHERE i.node_id = node.node_id
