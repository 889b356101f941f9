-- name: ingest.chunk_texts
-- doc: What is embedded of every chunk: "title. text", or "title > heading. text".
-- params: none
-- returns: chunk_id INTEGER, text VARCHAR
-- order: chunk_id
SELECT chunk_id,
       CASE WHEN title = '' AND heading = '' THEN text
            ELSE concat_ws(' > ', nullif(title, ''), nullif(heading, '')) || '. ' || text END AS text
FROM chunk
ORDER BY chunk_id
