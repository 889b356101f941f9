-- name: walk.path_step
-- doc: The steps that a search between two ends may take from its frontier, in the product of graph and automaton. From
--   side 1 a rule is taken as it stands, from side 2 against its direction; its kind is that of the node it arrives at.
--   `fan` counts the edges of a node in order of their ids; `turned` is 1 where a path passes the edge against its way.
-- params: none
-- slots: expand, kind
-- returns: question_id INTEGER, side INTEGER, path_id BIGINT, node_id INTEGER, state INTEGER, depth INTEGER,
--   neighbour_id INTEGER, next_state INTEGER, edge_id INTEGER, turned INTEGER, fan BIGINT
-- order: none
WITH expansion AS (
    /*<expand>*/
    SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
    FROM frontier AS f
    JOIN adjacency AS a ON a.node_id = f.tail_id
    /*</expand>*/
), moved AS (
    SELECT f.question_id, f.path_id, x.neighbour_id,
           CASE WHEN f.side = 1 THEN x.neighbour_id ELSE f.tail_id END AS test_id, r.kind, x.edge_id,
           r.next_state, r.accepts, x.forward
    FROM expansion AS x
    JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
    JOIN rule AS r
      ON r.question_id = f.question_id
     AND r.side = f.side
     AND r.state = f.state
     AND (r.relation_id IS NULL OR r.relation_id = x.relation_id)
     AND (r.forward IS NULL OR r.forward = x.forward)
    WHERE x.neighbour_id <> f.tail_id  -- no simple path takes a loop
), tested AS (
    /*<kind>*/
    SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
    FROM moved AS m
    LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
    WHERE m.kind IS NULL OR k.kind IS NOT NULL
    /*</kind>*/
)
SELECT f.question_id, f.side, f.path_id, f.tail_id AS node_id, f.state, f.depth, t.neighbour_id, t.next_state, t.edge_id,
       (t.forward <> (f.side = 1))::INTEGER AS turned,
       dense_rank() OVER (PARTITION BY t.question_id, t.path_id ORDER BY t.edge_id) AS fan
FROM tested AS t
JOIN frontier AS f ON f.question_id = t.question_id AND f.path_id = t.path_id
