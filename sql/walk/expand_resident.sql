-- name: walk.expand_resident
-- doc: Edges of the frontier by `adjacent`, a function over arrays in memory; the same rows as expand_join.
-- params: none
-- returns: question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER,
--   forward BOOLEAN
-- order: none
SELECT question_id, path_id, step.neighbour_id, step.edge_id, step.relation_id, step.forward
FROM (
    SELECT question_id, path_id, unnest(adjacent(tail_id)) AS step
    FROM frontier
)
