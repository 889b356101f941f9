-- name: context.entities
-- doc: What the graph says of the nodes a question starts from: kinds, properties, description.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, text VARCHAR
-- order: question_id, node_id
SELECT s.question_id,
       v.node_id,
       v.name || coalesce(' (' || nullif(array_to_string(v.kinds, ', '), '') || ')', '')
       || coalesce(': ' || v.description, '')
       || coalesce('; ' || nullif(regexp_replace(v.properties::VARCHAR, '[{}"]', '', 'g'), ''), '') AS text
FROM (SELECT DISTINCT question_id, item_id FROM seed WHERE item_kind = 'node') AS s
JOIN node AS v ON v.node_id = s.item_id
WHERE v.origin = 'graph'
ORDER BY s.question_id, v.node_id
