-- name: ingest.insert_term
-- doc: Rows of the Arrow table `incoming` become stems.
-- params: none
-- returns: none
-- order: none
INSERT INTO term BY NAME
SELECT *
FROM incoming
