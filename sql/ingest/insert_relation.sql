-- name: ingest.insert_relation
-- doc: Rows of the Arrow table `incoming` become relations.
-- params: none
-- returns: none
-- order: none
INSERT INTO relation BY NAME
SELECT *
FROM incoming
