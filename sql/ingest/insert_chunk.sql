-- name: ingest.insert_chunk
-- doc: Rows of the Arrow table `incoming` become chunks.
-- params: none
-- returns: none
-- order: none
INSERT INTO chunk BY NAME
SELECT *
FROM incoming
