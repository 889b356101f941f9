-- name: ingest.insert_pending_chunk
-- doc: Rows of the Arrow table `incoming` become chunks to index.
-- params: none
-- returns: none
-- order: none
INSERT INTO pending_chunk BY NAME
SELECT *
FROM incoming
