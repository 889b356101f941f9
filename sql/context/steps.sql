-- name: context.steps
-- doc: Paths given by their nodes and edges, written out: how earlier steps came to what they found. An arrow points as
--   the edge does.
-- params: paths STRUCT(nodes INTEGER[], edges INTEGER[])[]
-- returns: number INTEGER, text VARCHAR
-- order: number
WITH path AS (
    SELECT generate_subscripts($paths::STRUCT(nodes INTEGER[], edges INTEGER[])[], 1) AS number,
           unnest($paths::STRUCT(nodes INTEGER[], edges INTEGER[])[], recursive := true)
), hop AS (
    SELECT number, nodes, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS place
    FROM path
)
SELECT h.number::INTEGER AS number,
       any_value(a.name) FILTER (h.place = 1)
       || string_agg(
           CASE WHEN e.source_id = h.nodes[h.place] AND e.target_id = b.node_id
                THEN ' -' || coalesce(nullif(e.label, ''), r.relation) || '-> '
                ELSE ' <-' || coalesce(nullif(e.label, ''), r.relation) || '- ' END || b.name,
           '' ORDER BY h.place
       ) AS text
FROM hop AS h
JOIN edge AS e ON e.edge_id = h.edge_id
JOIN relation AS r ON r.relation_id = e.relation_id
JOIN node AS a ON a.node_id = h.nodes[h.place]
JOIN node AS b ON b.node_id = h.nodes[h.place + 1]
GROUP BY h.number
ORDER BY h.number
