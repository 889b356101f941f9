-- name: ingest.sentence_texts
-- doc: What is embedded of every sentence: "title: sentence".
-- params: none
-- returns: sentence_id INTEGER, text VARCHAR
-- order: sentence_id
SELECT s.sentence_id,
       CASE WHEN c.title = '' THEN '' ELSE c.title || ': ' END
       || substr(c.text, s.char_start + 1, s.char_end - s.char_start) AS text
FROM sentence AS s
JOIN chunk AS c ON c.chunk_id = s.chunk_id
ORDER BY s.sentence_id
