-- name: seed.load_links
-- doc: Which chunks a name leads to from which, each pair once.
-- params: none
-- returns: chunk_id INTEGER, next_chunk_id INTEGER
-- order: chunk_id, next_chunk_id
SELECT DISTINCT chunk_id, next_chunk_id
FROM link
ORDER BY chunk_id, next_chunk_id
