-- name: walk.pattern_step
-- doc: The paths of `frontier` one step on in the product of graph and automaton, each (node, state) once and none that was
--   `seen` or may have been begun from. A node with more than `fan_out` new steps takes the first, and its path is given
--   again, `capped`.
-- params: fan_out INTEGER, row_budget INTEGER
-- slots: expand, kind, capped
-- returns: question_id INTEGER, tail_id INTEGER, state INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, nodes
--   INTEGER[], edges INTEGER[], accepted BOOLEAN, cut BOOLEAN, capped BOOLEAN
-- order: none
WITH expansion AS (
    /*<expand>*/
    SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
    FROM frontier AS f
    JOIN adjacency AS a ON a.node_id = f.tail_id
    /*</expand>*/
), moved AS (  -- the number of a path tells its state and its tail
    SELECT x.question_id, x.path_id, x.neighbour_id, x.neighbour_id AS test_id, t.kind, x.edge_id, t.next_state, t.accepts,
           x.forward
    FROM (
        SELECT *, (path_id >> 32)::INTEGER AS state, (path_id & 4294967295)::INTEGER AS tail_id
        FROM expansion
    ) AS x
    JOIN transition AS t
      ON t.question_id = x.question_id
     AND t.state = x.state
     AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
     AND (t.forward IS NULL OR t.forward = x.forward OR x.neighbour_id = x.tail_id)  -- a loop goes both ways
), tested AS (
    /*<kind>*/
    SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
    FROM moved AS m
    LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
    WHERE m.kind IS NULL OR k.kind IS NOT NULL
    /*</kind>*/
), fresh AS (
    SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts
    FROM tested AS m
    ANTI JOIN start AS s
      ON s.question_id = m.question_id AND s.item_id = m.neighbour_id AND m.next_state BETWEEN s.state AND s.last_state
    LEFT JOIN seen AS e ON e.question_id = m.question_id AND e.tail_id = m.neighbour_id AND e.state = m.next_state
    WHERE e.tail_id IS NULL
), capped AS (  -- nodes with too many new steps, and the last edge that they take
    /*<capped>*/
    SELECT question_id, path_id, list_sort(list_distinct(list(edge_id)))[$fan_out::INTEGER] AS last_edge_id
    FROM fresh
    GROUP BY question_id, path_id
    HAVING count(*) > $fan_out::INTEGER AND len(list_distinct(list(edge_id))) > $fan_out::INTEGER
    /*</capped>*/
), chosen AS (  -- of several ways to a node and state the one from the lowest path, then over the lowest edge
    SELECT f.question_id, f.neighbour_id, f.next_state, f.accepts, min({'path_id': f.path_id, 'edge_id': f.edge_id}) AS way
    FROM fresh AS f
    LEFT JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
    WHERE f.edge_id <= coalesce(c.last_edge_id, f.edge_id)
    GROUP BY f.question_id, f.neighbour_id, f.next_state, f.accepts
)
SELECT c.question_id,
       c.neighbour_id AS tail_id,
       c.next_state AS state,
       f.depth + 1 AS depth,
       c.next_state * 4294967296::BIGINT + c.neighbour_id AS path_id,
       f.path_id AS parent_id,
       list_append(f.nodes, c.neighbour_id) AS nodes,
       list_append(f.edges, c.way.edge_id) AS edges,
       c.accepts AS accepted,
       c.cut,
       false AS capped
FROM (
    SELECT *, count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
    FROM chosen
    QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY way, next_state) <= $row_budget::INTEGER
) AS c
JOIN frontier AS f ON f.question_id = c.question_id AND f.path_id = c.way.path_id
UNION ALL
SELECT f.question_id, f.tail_id, f.state, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.accepted, f.cut, true
FROM frontier AS f
SEMI JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
