-- name: context.written_join
-- doc: The path to each node that was found, written out up to its last arrow, by joins with the edges and the nodes. An
--   arrow points as the edge does.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, head VARCHAR
-- order: none
WITH hop AS (
    SELECT question_id, rank, nodes, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS place
    FROM found
), told AS (
    SELECT h.question_id, h.rank, h.place, h.nodes[h.place] AS node_id, e.relation_id,
           e.source_id = h.nodes[h.place] AND e.target_id = h.nodes[h.place + 1] AS forward
    FROM hop AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
)
SELECT h.question_id, h.rank,
       string_agg(a.name || CASE WHEN h.forward THEN ' -' || r.relation || '-> ' ELSE ' <-' || r.relation || '- ' END,
                  '' ORDER BY h.place) AS head
FROM told AS h
JOIN relation AS r ON r.relation_id = h.relation_id
JOIN node AS a ON a.node_id = h.node_id
GROUP BY h.question_id, h.rank
