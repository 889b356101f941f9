-- name: context.answers
-- doc: Nodes that a pattern or a shortest path ends in, in order.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, name VARCHAR, depth INTEGER, path_id BIGINT
-- order: question_id, rank
SELECT w.question_id, w.rank, w.tail_id AS node_id, v.name, w.depth, w.path_id
FROM walk AS w
JOIN node AS v ON v.node_id = w.tail_id
WHERE w.kept AND w.view = 'answer'
ORDER BY w.question_id, w.rank
