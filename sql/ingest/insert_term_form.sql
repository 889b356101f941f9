-- name: ingest.insert_term_form
-- doc: Rows of the Arrow table `incoming` become word forms.
-- params: none
-- returns: none
-- order: none
INSERT INTO term_form BY NAME
SELECT *
FROM incoming
