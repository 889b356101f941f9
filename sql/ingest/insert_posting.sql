-- name: ingest.insert_posting
-- doc: Rows of `incoming` become postings; their weight is finished when the index is derived.
-- params: none
-- returns: none
-- order: none
INSERT INTO posting
SELECT term_id, chunk_id, tf, 0
FROM incoming
