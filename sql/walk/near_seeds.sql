-- name: walk.near_seeds
-- doc: Links of the seeds: all that a walk of one hop can take. Read outside of the recursion, where zone maps
--   prune.
-- params: none
-- returns: question_id INTEGER, chunk_id INTEGER, node_id INTEGER, next_chunk_id INTEGER, is_title BOOLEAN,
--   specificity INTEGER, title_share INTEGER
-- order: none
SELECT s.question_id, l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
FROM seed AS s
JOIN link AS l ON l.chunk_id = s.item_id
WHERE s.item_kind = 'chunk'
