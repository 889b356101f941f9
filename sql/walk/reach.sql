-- name: walk.reach
-- doc: A level search from both ends of a path at once, the smaller frontier first, until the two depths add up to the
--   longest path allowed: `hops`, at most `max_depth`. `expanded` nodes are those whose steps a path may take.
-- params: max_depth INTEGER, fan_out INTEGER, row_budget INTEGER
-- slots: step
-- returns: question_id INTEGER, side INTEGER, node_id INTEGER, state INTEGER, depth INTEGER, hops INTEGER, expanded
--   BOOLEAN, cut BOOLEAN
-- order: question_id, side, depth, node_id, state
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
), anchor AS (  -- groups are numbered in the order of the question; the first two are the ends
    SELECT question_id, item_id, dense_rank() OVER (PARTITION BY question_id ORDER BY group_id)::INTEGER AS side
    FROM seed
    WHERE item_kind = 'node'
), ends AS (  -- state -1 is the entry: it says whether the empty path is accepted, and the first node's kind
    SELECT DISTINCT a.question_id, a.side, a.item_id, 0 AS state
    FROM anchor AS a
    JOIN node AS v ON v.node_id = a.item_id
    LEFT JOIN transition AS t ON t.question_id = a.question_id AND t.state = -1
    WHERE a.side = 1 AND (t.kind IS NULL OR list_contains(v.kinds, t.kind))
    UNION ALL
    SELECT DISTINCT a.question_id, a.side, a.item_id, t.next_state
    FROM anchor AS a
    JOIN transition AS t ON t.question_id = a.question_id AND t.accepts
    WHERE a.side = 2
), stride AS (  -- the longest path that the automaton accepts
    SELECT DISTINCT question_id, 0 AS state, 0 AS hops
    FROM transition
    UNION ALL
    SELECT DISTINCT s.question_id, t.next_state, s.hops + 1
    FROM stride AS s
    JOIN transition AS t ON t.question_id = s.question_id AND t.state = s.state
    WHERE s.hops < $max_depth::INTEGER
), longest AS (
    SELECT question_id, max(hops)::INTEGER AS hops
    FROM stride
    GROUP BY question_id
), search (question_id, side, tail_id, state, depth, path_id, cut) USING KEY (question_id, side, tail_id, state) AS (
    SELECT question_id, side, item_id, state, 0,
           side * 4398046511104::BIGINT + state * 4294967296::BIGINT + item_id, false
    FROM ends
    UNION ALL
    SELECT question_id, side, tail_id, state, depth, path_id, cut
    FROM (
        WITH live AS (  -- a search goes on while its last level found something
            SELECT DISTINCT question_id FROM search
        ), front AS (
            SELECT r.question_id, r.side, r.depth, count(*) AS nodes
            FROM recurring.search AS r
            SEMI JOIN live AS l ON l.question_id = r.question_id
            GROUP BY r.question_id, r.side, r.depth
            QUALIFY row_number() OVER (PARTITION BY r.question_id, r.side ORDER BY r.depth DESC) = 1
        ), turn AS (
            SELECT e.question_id, e.side, e.depth
            FROM front AS e
            JOIN longest AS g ON g.question_id = e.question_id
            QUALIFY count(*) OVER (PARTITION BY e.question_id) = 2
                AND sum(e.depth) OVER (PARTITION BY e.question_id) < g.hops
                AND row_number() OVER (PARTITION BY e.question_id ORDER BY e.nodes, e.side) = 1
        ), frontier AS (
            SELECT r.question_id, r.side, r.path_id, r.tail_id, r.state, r.depth
            FROM recurring.search AS r
            JOIN turn AS t ON t.question_id = r.question_id AND t.side = r.side AND t.depth = r.depth
        ), looked AS (
            /*<step>*/
            SELECT f.question_id, f.side, f.path_id, f.tail_id AS node_id, f.state, f.depth, x.neighbour_id, r.next_state,
                   x.edge_id, 0 AS turned, 1::BIGINT AS fan
            FROM frontier AS f
            JOIN adjacency AS x ON x.node_id = f.tail_id
            JOIN rule AS r ON r.question_id = f.question_id AND r.side = f.side AND r.state = f.state
            /*</step>*/
        ), fresh AS (
            SELECT DISTINCT k.question_id, k.side, k.neighbour_id, k.next_state, k.depth + 1 AS depth
            FROM looked AS k
            LEFT JOIN recurring.search AS seen
              ON seen.question_id = k.question_id AND seen.side = k.side AND seen.tail_id = k.neighbour_id
             AND seen.state = k.next_state
            WHERE seen.tail_id IS NULL AND k.fan <= $fan_out::INTEGER
        )
        SELECT question_id, side, neighbour_id AS tail_id, next_state AS state, depth,
               side * 4398046511104::BIGINT + next_state * 4294967296::BIGINT + neighbour_id AS path_id,
               count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
        FROM fresh
        QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY neighbour_id, next_state) <= $row_budget::INTEGER
    )
), level AS (  -- how deep each side came; one that found nothing further, though it was its turn, is known to its end
    SELECT s.question_id, s.side, s.depth, g.hops,
           sum(s.depth) OVER ends_of < g.hops AND count(*) OVER ends_of = 2
               AND row_number() OVER (PARTITION BY s.question_id ORDER BY s.nodes, s.side) = 1 AS ended
    FROM (
        SELECT question_id, side, depth, count(*) AS nodes
        FROM search
        GROUP BY question_id, side, depth
        QUALIFY row_number() OVER (PARTITION BY question_id, side ORDER BY depth DESC) = 1
    ) AS s
    JOIN longest AS g ON g.question_id = s.question_id
    WINDOW ends_of AS (PARTITION BY s.question_id)
)
SELECT s.question_id, s.side, s.tail_id AS node_id, s.state, s.depth, l.hops, s.depth < l.depth OR l.ended AS expanded, s.cut
FROM search AS s
JOIN level AS l ON l.question_id = s.question_id AND l.side = s.side
ORDER BY s.question_id, s.side, s.depth, s.tail_id, s.state
