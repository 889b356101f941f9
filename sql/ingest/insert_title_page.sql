-- name: ingest.insert_title_page
-- doc: Rows of the Arrow table `incoming` become title pages.
-- params: none
-- returns: none
-- order: none
INSERT INTO title_page BY NAME
SELECT *
FROM incoming
