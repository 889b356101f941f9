-- name: ingest.insert_node
-- doc: Rows of the Arrow table `incoming` become nodes.
-- params: none
-- returns: none
-- order: none
INSERT INTO node BY NAME
SELECT *
FROM incoming
