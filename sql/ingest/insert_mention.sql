-- name: ingest.insert_mention
-- doc: Rows of the Arrow table `incoming` become mentions.
-- params: none
-- returns: none
-- order: none
INSERT INTO mention BY NAME
SELECT *
FROM incoming
