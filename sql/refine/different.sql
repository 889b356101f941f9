-- name: refine.different
-- doc: Filters `!=` that are satisfied: of several values none is the one.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, edge_id INTEGER, number INTEGER
-- order: none
SELECT v.question_id, v.node_id, v.edge_id, f.number
FROM attribute AS v
JOIN filter AS f ON f.number = v.number AND f.compare = '!='
GROUP BY v.question_id, v.node_id, v.edge_id, f.number
HAVING bool_and(CASE WHEN f.low IS NULL THEN lower(v.text) <> lower(f.text) ELSE v.low > f.high OR v.high < f.low END)
