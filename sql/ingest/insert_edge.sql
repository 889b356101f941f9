-- name: ingest.insert_edge
-- doc: Rows of the Arrow table `incoming` become edges.
-- params: none
-- returns: none
-- order: none
INSERT INTO edge BY NAME
SELECT *
FROM incoming
