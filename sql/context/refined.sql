-- name: context.refined
-- doc: The answers that were kept, each as a line that can be cited: its name, what was read of it, and the edges that lead
--   to it, five at most, fewer where answers are many, none of more than twenty; and `overall`, the sum or the mean of the
--   one number that each tells: of its attribute, or else of what it was ordered by.
-- params: label VARCHAR, aggregate VARCHAR, attribute VARCHAR
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, name VARCHAR, depth INTEGER, value VARCHAR, text VARCHAR,
--   overall VARCHAR
-- order: question_id, rank
WITH shown AS (
    SELECT question_id, rank, edges,
           least(5, 20 // count(*) OVER (PARTITION BY question_id)) AS fit  -- edges that are written out
    FROM refine
    WHERE kept
), edge_text AS (
    SELECT r.question_id, r.rank, e.edge_id,
           s.name || ' -' || coalesce(nullif(e.label, ''), l.relation) || '-> ' || t.name
           || coalesce(' (' || nullif(regexp_replace(e.properties::VARCHAR, '[{}"]', '', 'g'), '') || ')', '') AS text
    FROM (SELECT question_id, rank, unnest(edges[1:fit]) AS edge_id FROM shown) AS r
    JOIN edge AS e ON e.edge_id = r.edge_id
    JOIN relation AS l ON l.relation_id = e.relation_id
    JOIN node AS s ON s.node_id = e.source_id
    JOIN node AS t ON t.node_id = e.target_id
), fact AS (
    SELECT question_id, rank, string_agg(text, '; ' ORDER BY edge_id) AS text
    FROM edge_text
    GROUP BY question_id, rank
), amount AS (  -- decimals add up alike in any order
    SELECT r.question_id, r.rank,
           try_cast(CASE WHEN $attribute::VARCHAR IS NULL THEN r.measure
                         WHEN min(v.low) = max(v.low) THEN min(v.low) END AS DECIMAL(38, 6)) AS amount
    FROM refine AS r
    LEFT JOIN attribute AS v
      ON v.question_id = r.question_id AND v.number = 0 AND v.type = 'number' AND v.node_id = r.node_id
     AND (v.edge_id IS NULL OR list_contains(r.edges, v.edge_id))
    WHERE r.kept AND $aggregate::VARCHAR <> 'none'
    GROUP BY r.question_id, r.rank, r.measure
), total AS (
    SELECT question_id, count(*) AS answers, count(amount) AS told,
           CASE $aggregate::VARCHAR WHEN 'sum' THEN sum(amount)::DOUBLE
                                    WHEN 'mean' THEN sum(amount)::DOUBLE / count(amount) END AS amount
    FROM amount
    GROUP BY question_id
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
           WHEN array_length(r.edges) > w.fit THEN '; and ' || (array_length(r.edges) - w.fit) || ' more' ELSE ''
       END, '')
           AS text,
       CASE WHEN o.told > 0 THEN
           regexp_replace(format('{:.6f}', o.amount), '\.?0+$', '') || ', the ' || $aggregate::VARCHAR || ' of '
           || coalesce($attribute::VARCHAR, 'their numbers') || ' (' || o.told || ' of ' || o.answers || ')'
       END AS overall
FROM refine AS r
JOIN shown AS w ON w.question_id = r.question_id AND w.rank = r.rank
JOIN node AS v ON v.node_id = r.node_id
LEFT JOIN fact AS f ON f.question_id = r.question_id AND f.rank = r.rank
LEFT JOIN total AS o ON o.question_id = r.question_id
WHERE r.kept
ORDER BY r.question_id, r.rank
