-- name: context.chunk_texts
-- doc: Some chunks whole, with the title that a passage of each is shown under.
-- params: chunk_ids INTEGER[]
-- returns: chunk_id INTEGER, title VARCHAR, text VARCHAR
-- order: chunk_id
SELECT c.chunk_id,
       coalesce(nullif(concat_ws(' > ', nullif(c.title, ''), nullif(c.heading, '')), ''), d.source) AS title,
       c.text
FROM chunk AS c
JOIN document AS d ON d.document_id = c.document_id
WHERE c.chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
ORDER BY c.chunk_id
