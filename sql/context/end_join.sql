-- name: context.end_join
-- doc: The name and the kinds of the node that each path ends in, by a join with the nodes.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, depth INTEGER, tail_id INTEGER, nodes INTEGER[], edges INTEGER[], name VARCHAR,
--   kinds VARCHAR[]
-- order: none
SELECT f.question_id, f.rank, f.depth, f.tail_id, f.nodes, f.edges, v.name, coalesce(v.kinds, []) AS kinds
FROM found AS f
JOIN node AS v ON v.node_id = f.tail_id
