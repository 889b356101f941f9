-- name: walk.expand_join
-- doc: Edges of the frontier by a join with adjacency: plain SQL, runs in any DuckDB shell.
-- params: none
-- returns: question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER,
--   forward BOOLEAN
-- order: none
SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
FROM frontier AS f
JOIN adjacency AS a ON a.node_id = f.tail_id
