-- name: ingest.insert_edge_chunk
-- doc: Rows of the Arrow table `incoming` become chunks of edges.
-- params: none
-- returns: none
-- order: none
INSERT INTO edge_chunk BY NAME
SELECT *
FROM incoming
