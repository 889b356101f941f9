-- name: context.refined
-- doc: The answers that were kept, each as a line that can be cited: its name, what was read of it, and the edges that lead
--   to it, five at most.
-- params: label VARCHAR
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, name VARCHAR, depth INTEGER, value VARCHAR, text VARCHAR
-- order: question_id, rank
WITH edge_text AS (
    SELECT r.question_id, r.rank, e.edge_id,
           s.name || ' -' || coalesce(nullif(e.label, ''), l.relation) || '-> ' || t.name
           || coalesce(' (' || nullif(regexp_replace(e.properties::VARCHAR, '[{}"]', '', 'g'), '') || ')', '') AS text
    FROM (SELECT question_id, rank, unnest(edges[1:5]) AS edge_id FROM refine WHERE kept) AS r
    JOIN edge AS e ON e.edge_id = r.edge_id
    JOIN relation AS l ON l.relation_id = e.relation_id
    JOIN node AS s ON s.node_id = e.source_id
    JOIN node AS t ON t.node_id = e.target_id
), fact AS (
    SELECT question_id, rank, string_agg(text, '; ' ORDER BY edge_id) AS text
    FROM edge_text
    GROUP BY question_id, rank
)
SELECT r.question_id,
       r.rank,
       r.node_id,
       v.name,
       r.depth,
       coalesce(r.value, '') AS value,
       v.name
       || CASE WHEN $label::VARCHAR IS NULL THEN ''
               ELSE ': ' || $label::VARCHAR || ' ' || coalesce(r.value, 'not known') END
       || coalesce('; ' || f.text || CASE
           WHEN array_length(r.edges) > 5 THEN '; and ' || (array_length(r.edges) - 5) || ' more' ELSE ''
       END, '')
           AS text
FROM refine AS r
JOIN node AS v ON v.node_id = r.node_id
LEFT JOIN fact AS f ON f.question_id = r.question_id AND f.rank = r.rank
WHERE r.kept
ORDER BY r.question_id, r.rank
