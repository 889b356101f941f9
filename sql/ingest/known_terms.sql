-- name: ingest.known_terms
-- doc: Every stem.
-- params: none
-- returns: term VARCHAR, term_id INTEGER
-- order: term_id
SELECT term, term_id
FROM term
ORDER BY term_id
