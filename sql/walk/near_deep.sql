-- name: walk.near_deep
-- doc: Links of every chunk that a walk of more than one hop can stand on; beyond three hops that is any chunk.
-- params: max_depth INTEGER
-- returns: chunk_id INTEGER, node_id INTEGER, next_chunk_id INTEGER, is_title BOOLEAN, specificity INTEGER,
--   title_share INTEGER
-- order: none
WITH start AS (
    SELECT DISTINCT item_id AS chunk_id
    FROM seed
    WHERE item_kind = 'chunk'
), near AS (
    SELECT chunk_id FROM start
    UNION
    SELECT a.next_chunk_id
    FROM start AS s
    JOIN link AS a ON a.chunk_id = s.chunk_id
    UNION
    SELECT b.next_chunk_id
    FROM start AS s
    JOIN link AS a ON a.chunk_id = s.chunk_id
    JOIN link AS b ON b.chunk_id = a.next_chunk_id
    WHERE $max_depth::INTEGER > 2
    UNION
    SELECT chunk_id
    FROM chunk
    WHERE $max_depth::INTEGER > 3
)
SELECT l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
FROM link AS l
JOIN near AS n ON n.chunk_id = l.chunk_id
