-- name: ingest.insert_alias
-- doc: Rows of the Arrow table `incoming` become names of nodes.
-- params: none
-- returns: none
-- order: none
INSERT INTO alias BY NAME
SELECT *
FROM incoming
