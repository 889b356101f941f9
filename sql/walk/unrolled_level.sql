-- name: walk.unrolled_level
-- doc: One depth of an unrolled walk: the rows before it, and what pattern_step makes of the last of them.
-- params: max_depth INTEGER
-- slots: before, step
-- returns: question_id INTEGER, tail_id INTEGER, state INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, nodes
--   INTEGER[], edges INTEGER[], accepted BOOLEAN, cut BOOLEAN, capped BOOLEAN, is_last BOOLEAN
-- order: none
WITH sofar AS MATERIALIZED (
    /*<before>*/
    SELECT question_id, item_id AS tail_id, state, 0 AS depth, state * 4294967296::BIGINT + item_id AS path_id,
           NULL::BIGINT AS parent_id, [item_id] AS nodes, []::INTEGER[] AS edges, accepts AS accepted, false AS cut,
           false AS capped, true AS is_last
    FROM start
    /*</before>*/
), frontier AS MATERIALIZED (
    SELECT question_id, path_id, parent_id, tail_id, state, depth, nodes, edges, accepted, cut
    FROM sofar
    WHERE is_last AND depth < $max_depth::INTEGER
), seen AS (
    SELECT question_id, tail_id, state FROM sofar
)
SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, false AS is_last
FROM sofar
UNION ALL
SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, NOT capped AS is_last
FROM (
    /*<step>*/
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, true AS capped
    FROM frontier
    /*</step>*/
)
