-- name: ingest.chunks_to_extract
-- doc: Chunks that a model has given no facts for.
-- params: none
-- returns: chunk_id INTEGER, source VARCHAR, ordinal INTEGER, title VARCHAR, heading VARCHAR, text VARCHAR
-- order: chunk_id
SELECT c.chunk_id, d.source, c.ordinal, c.title, c.heading, c.text
FROM chunk AS c
JOIN document AS d ON d.document_id = c.document_id
LEFT JOIN extraction AS e ON e.chunk_id = c.chunk_id
WHERE e.facts IS NULL
ORDER BY c.chunk_id
