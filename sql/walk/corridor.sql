-- name: walk.corridor
-- doc: The steps that lie on a path of at most `hops` from the first end to the second, with the least hops that remain
--   after each: what `reach` looked at, from either end, as a walk from the first end takes it. No path passes an end on
--   its way. A node of which only the first `fan_out` steps were looked at is a row without a step.
-- params: fan_out INTEGER
-- slots: step
-- returns: question_id INTEGER, node_id INTEGER, state INTEGER, depth INTEGER, edge_id INTEGER, neighbour_id INTEGER,
--   next_state INTEGER, remaining INTEGER, turned INTEGER
-- order: question_id, node_id, state, edge_id, neighbour_id, next_state, depth
WITH RECURSIVE node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN (SELECT kind FROM transition WHERE state >= 0 AND kind IS NOT NULL) AS t ON t.kind = v.kind
), rule AS (  -- the automaton, and the automaton read backwards
    SELECT question_id, 1 AS side, state, relation_id, forward, kind, next_state, accepts
    FROM transition
    WHERE state >= 0
    UNION ALL
    SELECT question_id, 2, next_state, relation_id, NOT forward, kind, state, accepts
    FROM transition
    WHERE state >= 0
), frontier AS (
    SELECT question_id, side, side * 4398046511104::BIGINT + state * 4294967296::BIGINT + node_id AS path_id,
           node_id AS tail_id, state, depth
    FROM reach
    WHERE expanded
), looked AS MATERIALIZED (
    /*<step>*/
    SELECT f.question_id, f.side, f.path_id, f.tail_id AS node_id, f.state, f.depth, x.neighbour_id, r.next_state, x.edge_id,
           (x.forward <> (f.side = 1))::INTEGER AS turned, 1::BIGINT AS fan
    FROM frontier AS f
    JOIN adjacency AS x ON x.node_id = f.tail_id
    JOIN rule AS r ON r.question_id = f.question_id AND r.side = f.side AND r.state = f.state
    /*</step>*/
), seen AS (  -- seen from both ends a step is one
    SELECT DISTINCT k.question_id, k.edge_id, k.turned,
           CASE WHEN k.side = 1 THEN k.node_id ELSE k.neighbour_id END AS node_id,
           CASE WHEN k.side = 1 THEN k.state ELSE k.next_state END AS state,
           CASE WHEN k.side = 1 THEN k.neighbour_id ELSE k.node_id END AS neighbour_id,
           CASE WHEN k.side = 1 THEN k.next_state ELSE k.state END AS next_state
    FROM looked AS k
    SEMI JOIN reach AS r
      ON r.question_id = k.question_id AND r.side = k.side AND r.node_id = k.neighbour_id AND r.state = k.next_state
    WHERE k.fan <= $fan_out::INTEGER
), ends AS (
    SELECT question_id, side, node_id, state, hops
    FROM reach
    WHERE depth = 0
), step AS (  -- it leaves an end only at the start, and arrives at one only where that accepts
    SELECT s.question_id, s.edge_id, s.turned, s.node_id, s.state, s.neighbour_id, s.next_state
    FROM seen AS s
    LEFT JOIN ends AS a
      ON a.question_id = s.question_id AND a.side = 1 AND a.node_id = s.node_id AND a.state = s.state
    LEFT JOIN ends AS b
      ON b.question_id = s.question_id AND b.side = 2 AND b.node_id = s.neighbour_id AND b.state = s.next_state
    LEFT JOIN (SELECT DISTINCT question_id, node_id FROM ends) AS c
      ON c.question_id = s.question_id AND c.node_id = s.node_id
    LEFT JOIN (SELECT DISTINCT question_id, node_id FROM ends) AS d
      ON d.question_id = s.question_id AND d.node_id = s.neighbour_id
    WHERE (c.node_id IS NULL OR a.node_id IS NOT NULL) AND (d.node_id IS NULL OR b.node_id IS NOT NULL)
), least (question_id, node_id, state, remaining) USING KEY (question_id, node_id, state) AS (
    SELECT question_id, node_id, state, 0 FROM ends WHERE side = 2
    UNION ALL
    SELECT question_id, node_id, state, remaining
    FROM (
        SELECT DISTINCT s.question_id, s.node_id, s.state, l.remaining + 1 AS remaining
        FROM least AS l
        JOIN step AS s ON s.question_id = l.question_id AND s.neighbour_id = l.node_id AND s.next_state = l.state
        LEFT JOIN recurring.least AS known
          ON known.question_id = s.question_id AND known.node_id = s.node_id AND known.state = s.state
        WHERE known.node_id IS NULL
    )
)
SELECT s.question_id, s.node_id, s.state, coalesce(r.depth, 0) AS depth, s.edge_id, s.neighbour_id, s.next_state, l.remaining,
       s.turned
FROM step AS s
JOIN least AS l ON l.question_id = s.question_id AND l.node_id = s.neighbour_id AND l.state = s.next_state
JOIN (SELECT DISTINCT question_id, hops FROM ends) AS h ON h.question_id = s.question_id
LEFT JOIN reach AS r ON r.question_id = s.question_id AND r.side = 1 AND r.node_id = s.node_id AND r.state = s.state
WHERE coalesce(r.depth, 0) + 1 + l.remaining <= h.hops
UNION ALL
SELECT DISTINCT question_id, node_id, state, depth, NULL::INTEGER, NULL::INTEGER, NULL::INTEGER, NULL::INTEGER,
       NULL::INTEGER
FROM looked
WHERE fan > $fan_out::INTEGER
ORDER BY question_id, node_id, state, edge_id, neighbour_id, next_state, depth
