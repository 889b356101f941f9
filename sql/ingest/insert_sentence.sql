-- name: ingest.insert_sentence
-- doc: Rows of the Arrow table `incoming` become sentences.
-- params: none
-- returns: none
-- order: none
INSERT INTO sentence BY NAME
SELECT *
FROM incoming
