-- name: refine.attribute_none
-- doc: No look-ups: nothing is read of what is arrived at.
-- params: none
-- returns: question_id INTEGER, number INTEGER, node_id INTEGER, edge_id INTEGER, text VARCHAR, type VARCHAR, low DOUBLE,
--   high DOUBLE
-- order: none
SELECT question_id, NULL::INTEGER AS number, node_id, edge_id, NULL::VARCHAR AS text, NULL::VARCHAR AS type,
       NULL::DOUBLE AS low, NULL::DOUBLE AS high
FROM arrival
WHERE false
