-- name: ingest.insert_sentence_posting
-- doc: Rows of the Arrow table `incoming` become stems of sentences.
-- params: none
-- returns: none
-- order: none
INSERT INTO sentence_posting BY NAME
SELECT *
FROM incoming
