-- name: ingest.insert_document
-- doc: Rows of the Arrow table `incoming` become documents.
-- params: none
-- returns: none
-- order: none
INSERT INTO document BY NAME
SELECT *
FROM incoming
