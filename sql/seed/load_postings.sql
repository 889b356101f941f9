-- name: seed.load_postings
-- doc: The postings of the text, term by term.
-- params: none
-- returns: term_id INTEGER, chunk_id INTEGER, weight BIGINT
-- order: term_id, chunk_id
SELECT term_id, chunk_id, weight
FROM posting
ORDER BY term_id, chunk_id
