-- name: context.end_resident
-- doc: The name and the kinds of the node that each path ends in, by `node_of`, a function over arrays in memory; the same
--   rows as end_join.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, depth INTEGER, tail_id INTEGER, nodes INTEGER[], edges INTEGER[], name VARCHAR,
--   kinds VARCHAR[]
-- order: none
SELECT question_id, rank, depth, tail_id, nodes, edges, node.name, coalesce(node.kinds, []) AS kinds
FROM (
    SELECT *, node_of(tail_id) AS node
    FROM found
)
