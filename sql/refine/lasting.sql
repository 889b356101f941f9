-- name: refine.lasting
-- doc: Filters `during` that are satisfied: look-ups 101 and 102 tell when an edge began, and when it ended; an end that is
--   not told is open.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, edge_id INTEGER, number INTEGER
-- order: none
SELECT v.question_id, v.node_id, v.edge_id, f.number
FROM attribute AS v
JOIN filter AS f ON f.compare = 'during'
WHERE v.number IN (101, 102) AND v.edge_id IS NOT NULL AND v.low IS NOT NULL
GROUP BY v.question_id, v.node_id, v.edge_id, f.number
HAVING coalesce(min(v.low) FILTER (v.number = 101) <= any_value(f.high), true)
   AND coalesce(max(v.high) FILTER (v.number = 102) >= any_value(f.low), true)
