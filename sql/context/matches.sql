-- name: context.matches
-- doc: What a pattern or a search for paths found, in order: the node it ends in, and the path to it written out. An arrow
--   points as the edge does.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, hops INTEGER, node_id INTEGER, name VARCHAR, kinds VARCHAR[], path VARCHAR,
--   nodes INTEGER[], edges INTEGER[]
-- order: question_id, rank
WITH found AS (
    SELECT question_id, rank, depth, path_id, tail_id, nodes, edges
    FROM walk
    WHERE kept AND view = 'answer'
), hop AS (
    SELECT question_id, rank, nodes, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS place
    FROM found
), written AS (
    SELECT h.question_id, h.rank,
           string_agg(a.name || CASE WHEN e.source_id = h.nodes[h.place] AND e.target_id = h.nodes[h.place + 1]
                                     THEN ' -' || r.relation || '-> '
                                     ELSE ' <-' || r.relation || '- ' END, '' ORDER BY h.place) AS head
    FROM hop AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
    JOIN relation AS r ON r.relation_id = e.relation_id
    JOIN node AS a ON a.node_id = h.nodes[h.place]
    GROUP BY h.question_id, h.rank
)
SELECT f.question_id,
       f.rank,
       f.depth AS hops,
       f.tail_id AS node_id,
       v.name,
       coalesce(v.kinds, []) AS kinds,
       coalesce(w.head, '') || v.name AS path,
       f.nodes,
       f.edges
FROM found AS f
JOIN node AS v ON v.node_id = f.tail_id
LEFT JOIN written AS w ON w.question_id = f.question_id AND w.rank = f.rank
ORDER BY f.question_id, f.rank
