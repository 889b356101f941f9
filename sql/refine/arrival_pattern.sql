-- name: refine.arrival_pattern
-- doc: Every edge by which a pattern's walk arrives at an answer, from which anchor, and how many paths come over it.
--   The walk keeps each (node, state) once; the arcs between them hold all paths, which are added up level by level.
-- params: max_depth INTEGER
-- slots: arc
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER,
--   paths BIGINT
-- order: question_id, arm, node_id, edge_id, path_id
WITH RECURSIVE stand AS (  -- path_id is state * 2^32 + node
    SELECT question_id, path_id, tail_id, depth, path_id // 4294967296::BIGINT AS state
    FROM walk
    WHERE tail_kind = 'node' AND kept
), arc AS MATERIALIZED (
    /*<arc>*/
    SELECT question_id, path_id AS from_id, path_id AS to_id, NULL::INTEGER AS edge_id FROM stand WHERE false
    /*</arc>*/
), counted AS (  -- capped where a DOUBLE no longer counts by ones
    SELECT question_id, path_id, 0 AS length, 1::BIGINT AS paths
    FROM stand
    WHERE depth = 0
    UNION ALL
    SELECT a.question_id, a.to_id, c.length + 1, least(sum(c.paths), 9007199254740992)::BIGINT
    FROM counted AS c
    JOIN arc AS a ON a.question_id = c.question_id AND a.from_id = c.path_id
    WHERE c.length < $max_depth::INTEGER
    GROUP BY a.question_id, a.to_id, c.length
), reached AS (
    SELECT question_id, path_id, least(sum(paths), 9007199254740992)::BIGINT AS paths
    FROM counted
    WHERE length < $max_depth::INTEGER
    GROUP BY question_id, path_id
), accepted AS (
    SELECT DISTINCT question_id, next_state
    FROM transition
    WHERE accepts
)
SELECT n.question_id,
       coalesce(m.arm, 0)::INTEGER AS arm,
       n.tail_id AS node_id,
       a.edge_id,
       n.path_id,
       n.depth,
       least(sum(r.paths), 9007199254740992)::BIGINT AS paths
FROM stand AS n
JOIN accepted AS t ON t.question_id = n.question_id AND t.next_state = n.state
JOIN arc AS a ON a.question_id = n.question_id AND a.to_id = n.path_id
JOIN reached AS r ON r.question_id = a.question_id AND r.path_id = a.from_id
LEFT JOIN arm AS m ON m.question_id = n.question_id AND n.state BETWEEN m.state AND m.last_state
WHERE n.depth > 0
GROUP BY n.question_id, coalesce(m.arm, 0), n.tail_id, a.edge_id, n.path_id, n.depth
ORDER BY n.question_id, arm, node_id, a.edge_id, n.path_id
