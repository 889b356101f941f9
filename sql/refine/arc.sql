-- name: refine.arc
-- doc: The steps of a pattern's walk between the places where it stands, all of them: the walk keeps each (node, state)
--   once, over the first step that led there.
-- params: none
-- slots: none
-- returns: question_id INTEGER, from_id BIGINT, to_id BIGINT, edge_id INTEGER
-- order: none
SELECT DISTINCT f.question_id, f.path_id AS from_id, n.path_id AS to_id, a.edge_id
FROM stand AS f
JOIN adjacency AS a ON a.node_id = f.tail_id
JOIN transition AS t
  ON t.question_id = f.question_id
 AND t.state = f.state
 AND (t.relation_id IS NULL OR t.relation_id = a.relation_id)
 AND (t.forward IS NULL OR t.forward = a.forward OR a.neighbour_id = f.tail_id)
JOIN stand AS n
  ON n.question_id = f.question_id AND n.tail_id = a.neighbour_id AND n.state = t.next_state AND n.depth > 0
JOIN node AS v ON v.node_id = a.neighbour_id AND (t.kind IS NULL OR list_contains(v.kinds, t.kind))
