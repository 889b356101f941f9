-- name: refine.starts
-- doc: From how many of the nodes that a pattern's walk starts from each answer is reached that passes the filters. The
--   walk keeps each (node, state) once; the arcs between them tell which starts lead there.
-- params: none
-- slots: arc
-- returns: question_id INTEGER, node_id INTEGER, unit INTEGER, edge_count BIGINT
-- order: none
WITH RECURSIVE stand AS (  -- path_id is state * 2^32 + node
    SELECT question_id, path_id, tail_id, depth, path_id // 4294967296::BIGINT AS state
    FROM walk
    WHERE tail_kind = 'node' AND kept
), arc AS MATERIALIZED (
    /*<arc>*/
    SELECT question_id, path_id AS from_id, path_id AS to_id, NULL::INTEGER AS edge_id FROM stand WHERE false
    /*</arc>*/
), led AS (  -- each start once at each place, however many ways lead there
    SELECT question_id, tail_id AS start_id, path_id
    FROM stand
    WHERE depth = 0
    UNION
    SELECT l.question_id, l.start_id, a.to_id
    FROM led AS l
    JOIN arc AS a ON a.question_id = l.question_id AND a.from_id = l.path_id
)
SELECT p.question_id, p.node_id, p.unit, count(DISTINCT l.start_id) AS edge_count
FROM passed AS p
JOIN led AS l ON l.question_id = p.question_id AND l.path_id = p.path_id
WHERE p.stands
GROUP BY p.question_id, p.node_id, p.unit
