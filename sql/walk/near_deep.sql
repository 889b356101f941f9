-- name: walk.near_deep
-- doc: Links of every chunk that a walk of more than one hop can stand on; beyond three hops that is any chunk.
-- params: max_depth INTEGER
-- returns: question_id INTEGER, chunk_id INTEGER, node_id INTEGER, next_chunk_id INTEGER, is_title BOOLEAN,
--   specificity INTEGER, title_share INTEGER
-- order: none
WITH start AS (
    SELECT DISTINCT question_id, item_id AS chunk_id
    FROM seed
    WHERE item_kind = 'chunk'
), near AS (
    SELECT question_id, chunk_id FROM start
    UNION
    SELECT s.question_id, a.next_chunk_id
    FROM start AS s
    JOIN link AS a ON a.chunk_id = s.chunk_id
    UNION
    SELECT s.question_id, b.next_chunk_id
    FROM start AS s
    JOIN link AS a ON a.chunk_id = s.chunk_id
    JOIN link AS b ON b.chunk_id = a.next_chunk_id
    WHERE $max_depth::INTEGER > 2
    UNION
    SELECT s.question_id, c.chunk_id
    FROM start AS s
    CROSS JOIN chunk AS c
    WHERE $max_depth::INTEGER > 3
)
SELECT n.question_id, l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
FROM near AS n
JOIN link AS l ON l.chunk_id = n.chunk_id
