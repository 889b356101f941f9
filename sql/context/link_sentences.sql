-- name: context.link_sentences
-- doc: The first sentence of each chunk that names each node: what was said where a link was taken.
-- params: places STRUCT(chunk_id INTEGER, node_id INTEGER)[]
-- returns: chunk_id INTEGER, node_id INTEGER, sentence VARCHAR
-- order: chunk_id, node_id
SELECT p.chunk_id,
       p.node_id,
       min_by(substr(c.text, s.char_start + 1, s.char_end - s.char_start), s.sentence_id) AS sentence
FROM (
    SELECT unnest($places::STRUCT(chunk_id INTEGER, node_id INTEGER)[], recursive := true)
) AS p
JOIN mention AS m ON m.chunk_id = p.chunk_id AND m.node_id = p.node_id
JOIN sentence AS s ON s.sentence_id = m.sentence_id
JOIN chunk AS c ON c.chunk_id = p.chunk_id
GROUP BY p.chunk_id, p.node_id
ORDER BY p.chunk_id, p.node_id
