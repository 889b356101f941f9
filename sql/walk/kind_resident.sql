-- name: walk.kind_resident
-- doc: Steps whose node is of the kind that the pattern tests, by `has_kind`, a function over arrays in memory; the same
--   rows as kind_join.
-- params: none
-- returns: question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, next_state INTEGER, accepts
--   BOOLEAN, forward BOOLEAN
-- order: none
SELECT question_id, path_id, neighbour_id, edge_id, next_state, accepts, forward
FROM moved
WHERE kind IS NULL OR has_kind(test_id, kind)
