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
), told AS (
    SELECT h.question_id, h.rank, h.place, h.nodes[h.place] AS node_id, e.relation_id,
           e.source_id = h.nodes[h.place] AND e.target_id = h.nodes[h.place + 1] AS forward
    FROM hop AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
), written AS (  -- up to the last arrow
    SELECT h.question_id, h.rank,
           string_agg(a.name || CASE WHEN h.forward THEN ' -' || r.relation || '-> ' ELSE ' <-' || r.relation || '- ' END,
                      '' ORDER BY h.place) AS head
    FROM told AS h
    JOIN relation AS r ON r.relation_id = h.relation_id
    JOIN node AS a ON a.node_id = h.node_id
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
