-- name: context.hop_join
-- doc: The relation of every hop of a path that was found, and whether the edge points along it, by a join with the edges.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, place BIGINT, node_id INTEGER, relation_id INTEGER, forward BOOLEAN
-- order: none
SELECT h.question_id, h.rank, h.place, h.nodes[h.place] AS node_id, e.relation_id,
       e.source_id = h.nodes[h.place] AND e.target_id = h.nodes[h.place + 1] AS forward
FROM hop AS h
JOIN edge AS e ON e.edge_id = h.edge_id
