-- name: context.paths
-- doc: The paths that a walk ended with, whole, in the order of the `answers` given and of the walk: those whose edges
--   are all kept as evidence. Of a beam, those that kept facts are on; facts read from text speak through their passages.
--   A path of one step is followed by the other edges between its two nodes: with `beside` `any` all of them, with `same`
--   those of its relation, the same way round; with `none` by no other.
-- params: answers STRUCT(question_id INTEGER, node_id INTEGER, place INTEGER)[], row_limit INTEGER, beside VARCHAR
-- returns: question_id INTEGER, number INTEGER, score DOUBLE, node_ids INTEGER[], names VARCHAR[], kinds VARCHAR[][],
--   edge_ids INTEGER[], labels VARCHAR[], forward BOOLEAN[], properties VARCHAR[], total BIGINT
-- order: question_id, number
WITH answer AS (
    SELECT unnest($answers::STRUCT(question_id INTEGER, node_id INTEGER, place INTEGER)[], recursive := true)
), ended AS (
    SELECT w.question_id, w.path_id, a.place, w.rank, w.view
    FROM walk AS w
    JOIN answer AS a ON a.question_id = w.question_id AND a.node_id = w.tail_id
    WHERE w.kept AND w.view = 'answer' AND w.depth > 0
    UNION ALL
    SELECT e.question_id, e.path_id, 0, min(e.rank), w.view
    FROM evidence AS e
    JOIN walk AS w ON w.question_id = e.question_id AND w.path_id = e.path_id
    WHERE e.kept AND e.unit_kind = 'edge' AND w.view NOT IN ('answer', 'pattern')
    GROUP BY e.question_id, e.path_id, w.view
    HAVING bool_or(e.chunk_id IS NULL)
), wanted AS (
    SELECT question_id, path_id, view,
           row_number() OVER (PARTITION BY question_id ORDER BY place, rank, path_id) AS number,
           count(*) OVER (PARTITION BY question_id) AS total
    FROM ended
    QUALIFY number <= $row_limit::INTEGER
), walked AS (
    SELECT n.question_id, n.number, n.total, n.view, w.score, w.nodes, w.edges
    FROM wanted AS n
    JOIN walk AS w ON w.question_id = n.question_id AND w.path_id = n.path_id
), beside AS (  -- the other edges between the two ends of a step
    SELECT DISTINCT w.question_id, w.number, w.total, 'beside' AS view, w.score, w.nodes, [a.edge_id] AS edges
    FROM walked AS w
    JOIN adjacency AS a ON a.node_id = w.nodes[1] AND a.neighbour_id = w.nodes[2] AND a.edge_id <> w.edges[1]
    JOIN adjacency AS o ON o.node_id = w.nodes[1] AND o.neighbour_id = w.nodes[2] AND o.edge_id = w.edges[1]
    WHERE array_length(w.edges) = 1
      AND ($beside::VARCHAR = 'any'
           OR ($beside::VARCHAR = 'same' AND a.relation_id = o.relation_id AND a.forward = o.forward))
), path AS (
    SELECT question_id, view, score, nodes, edges,
           row_number() OVER (PARTITION BY question_id ORDER BY number, view = 'beside', edges) AS number,
           total + count(*) FILTER (view = 'beside') OVER (PARTITION BY question_id) AS total
    FROM (
        SELECT question_id, number, total, view, score, nodes, edges FROM walked
        UNION ALL
        SELECT question_id, number, total, view, score, nodes, edges FROM beside
    )
), hop AS (
    SELECT question_id, number, view, nodes, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS place
    FROM path
), stop AS (
    SELECT question_id, number, unnest(nodes) AS node_id, generate_subscripts(nodes, 1) AS place
    FROM path
), unit AS (
    SELECT DISTINCT question_id, unit_id AS edge_id
    FROM evidence
    WHERE kept AND unit_kind = 'edge'
), over_edges AS (
    SELECT h.question_id, h.number,
           list(coalesce(nullif(e.label, ''), r.relation) ORDER BY h.place) AS labels,
           list(
               e.source_id = h.nodes[h.place] AND (e.target_id = h.nodes[h.place + 1] OR e.source_id <> e.target_id)
               ORDER BY h.place
           ) AS forward,
           list(nullif(e.properties::VARCHAR, '{}') ORDER BY h.place) AS properties
    FROM hop AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
    JOIN relation AS r ON r.relation_id = e.relation_id
    LEFT JOIN unit AS u ON u.question_id = h.question_id AND u.edge_id = h.edge_id
    GROUP BY h.question_id, h.number
    HAVING bool_and(h.view <> 'answer' OR u.edge_id IS NOT NULL)
), over_nodes AS (
    SELECT s.question_id, s.number,
           list(v.name ORDER BY s.place) AS names,
           list(coalesce(v.kinds, []) ORDER BY s.place) AS kinds
    FROM stop AS s
    JOIN node AS v ON v.node_id = s.node_id
    GROUP BY s.question_id, s.number
)
SELECT p.question_id,
       p.number::INTEGER AS number,
       p.score,
       p.nodes AS node_ids,
       n.names,
       n.kinds,
       p.edges AS edge_ids,
       o.labels,
       o.forward,
       o.properties,
       p.total
FROM path AS p
JOIN over_edges AS o ON o.question_id = p.question_id AND o.number = p.number
JOIN over_nodes AS n ON n.question_id = p.question_id AND n.number = p.number
ORDER BY p.question_id, p.number
