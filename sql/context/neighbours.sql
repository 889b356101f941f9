-- name: context.neighbours
-- doc: The relations of what a bfs reached, an edge each, parallel ones too: from the node it was reached over, `head`,
--   to the node reached, `tail`. Of every relation the tails with most edges come first, in turn with those of the
--   others. `total` counts the edges of that relation at the head: in the graph for an anchor, else those walked.
-- params: row_limit INTEGER
-- returns: question_id INTEGER, depth INTEGER, head_id INTEGER, head VARCHAR, head_kinds VARCHAR[], relation_id INTEGER,
--   label VARCHAR, forward BOOLEAN, tail_id INTEGER, tail VARCHAR, tail_kinds VARCHAR[], edge_id INTEGER,
--   properties VARCHAR, total BIGINT
-- order: question_id, depth, turn, head_id, relation_id, forward DESC, edge_id
WITH anchor AS (
    SELECT DISTINCT question_id, item_id AS node_id
    FROM seed
    WHERE item_kind = 'node'
), step AS (
    SELECT w.question_id, w.depth, w.nodes[w.depth] AS head_id, w.tail_id
    FROM walk AS w
    SEMI JOIN evidence AS e
      ON e.question_id = w.question_id AND e.kept AND e.unit_kind = 'edge' AND e.unit_id = w.edges[w.depth]
    WHERE w.kept AND w.view = 'pattern' AND w.rank IS NOT NULL AND w.depth > 0
    UNION ALL  -- no walk reaches one anchor from another
    SELECT a.question_id, 1, a.node_id, b.node_id
    FROM anchor AS a
    JOIN anchor AS b ON b.question_id = a.question_id AND b.node_id > a.node_id
), walked AS (
    SELECT s.question_id, s.depth, s.head_id, a.relation_id, a.forward, s.tail_id, a.edge_id, v.name AS tail,
           v.kinds AS tail_kinds,
           row_number() OVER (
               PARTITION BY s.question_id, s.head_id, a.relation_id, a.forward
               ORDER BY v.degree DESC, s.tail_id, a.edge_id
           ) AS turn,
           count(*) OVER (PARTITION BY s.question_id, s.head_id, a.relation_id, a.forward) AS count
    FROM step AS s
    JOIN adjacency AS a ON a.node_id = s.head_id AND a.neighbour_id = s.tail_id
    JOIN node AS v ON v.node_id = s.tail_id
), shown AS (
    SELECT *
    FROM walked
    QUALIFY row_number() OVER (
        PARTITION BY question_id ORDER BY depth, turn, head_id, relation_id, forward DESC, edge_id
    ) <= $row_limit::INTEGER
), whole AS (  -- what an anchor has of each relation, whatever the walk was let to look at
    SELECT n.question_id, a.node_id, a.relation_id, a.forward, count(*) AS count
    FROM adjacency AS a
    JOIN anchor AS n ON n.node_id = a.node_id
    ANTI JOIN anchor AS o ON o.question_id = n.question_id AND o.node_id = a.neighbour_id
    GROUP BY n.question_id, a.node_id, a.relation_id, a.forward
)
SELECT coalesce(s.question_id, t.question_id) AS question_id,
       coalesce(s.depth, 1) AS depth,
       h.node_id AS head_id,
       h.name AS head,
       h.kinds AS head_kinds,
       r.relation_id,
       coalesce(nullif(e.label, ''), r.relation) AS label,
       coalesce(s.forward, t.forward) AS forward,
       s.tail_id,
       s.tail,
       s.tail_kinds,
       s.edge_id,
       nullif(e.properties::VARCHAR, '{}') AS properties,
       greatest(s.count, t.count) AS total
FROM shown AS s
FULL JOIN whole AS t  -- a relation without a row is told by its count
  ON t.question_id = s.question_id AND t.node_id = s.head_id AND t.relation_id = s.relation_id AND t.forward = s.forward
JOIN node AS h ON h.node_id = coalesce(s.head_id, t.node_id)
JOIN relation AS r ON r.relation_id = coalesce(s.relation_id, t.relation_id)
LEFT JOIN edge AS e ON e.edge_id = s.edge_id
ORDER BY question_id, depth, s.turn NULLS LAST, head_id, r.relation_id, forward DESC, s.edge_id
