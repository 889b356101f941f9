-- name: ingest.insert_mention_context
-- doc: Rows of the Arrow table `incoming` become stems near mentions.
-- params: none
-- returns: none
-- order: none
INSERT INTO mention_context BY NAME
SELECT *
FROM incoming
