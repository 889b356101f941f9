-- name: context.written_resident
-- doc: The path to each node that was found, written out up to its last arrow, by `path_of`, a function over arrays in
--   memory; the same rows as written_join.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, head VARCHAR
-- order: none
SELECT question_id, rank, path_of(nodes, edges) AS head
FROM found
WHERE len(edges) > 0
