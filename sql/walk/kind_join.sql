-- name: walk.kind_join
-- doc: Steps whose node is of the kind that the pattern tests, by a join with the nodes of the kinds it names.
-- params: none
-- returns: question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, next_state INTEGER, accepts
--   BOOLEAN, forward BOOLEAN
-- order: none
SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
FROM moved AS m
LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
WHERE m.kind IS NULL OR k.kind IS NOT NULL
