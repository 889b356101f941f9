-- name: refine.missing
-- doc: Filters `missing` that are satisfied: nothing is told.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, edge_id INTEGER, number INTEGER
-- order: none
SELECT r.question_id, r.node_id, r.edge_id, f.number
FROM arrival AS r
JOIN filter AS f ON f.compare = 'missing'
ANTI JOIN attribute AS v
  ON v.question_id = r.question_id AND v.number = f.number AND v.node_id = r.node_id
     AND (v.edge_id IS NULL OR v.edge_id = r.edge_id)
