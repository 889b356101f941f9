-- name: context.hop_resident
-- doc: The relation of every hop of a path that was found, and whether the edge points along it, by `step_of`, a function
--   over arrays in memory; the same rows as hop_join.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, place BIGINT, node_id INTEGER, relation_id INTEGER, forward BOOLEAN
-- order: none
SELECT question_id, rank, place, node_id, step.relation_id, step.forward
FROM (
    SELECT question_id, rank, place, nodes[place] AS node_id, step_of(nodes[place], edge_id) AS step
    FROM hop
)
