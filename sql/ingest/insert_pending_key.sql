-- name: ingest.insert_pending_key
-- doc: Rows of the Arrow table `incoming` become titles that are new.
-- params: none
-- returns: none
-- order: none
INSERT INTO pending_key BY NAME
SELECT *
FROM incoming
