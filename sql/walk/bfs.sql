-- name: walk.bfs
-- doc: Every node within `max_depth` hops of the seeds, once, over the first edge that reaches it. Score 1 / (1
--   + depth). A node with more than `fan_out` new neighbours gives the first of them and is marked `fan_out`.
-- params: max_depth INTEGER, fan_out INTEGER, row_budget INTEGER, direction VARCHAR
-- slots: expand
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, tail_id
WITH RECURSIVE walk (question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, capped)
    USING KEY (question_id, tail_id) AS (
    SELECT question_id, item_id, 0, item_id::BIGINT, NULL::BIGINT, [item_id], []::INTEGER[], false, false
    FROM (SELECT DISTINCT question_id, item_id FROM seed WHERE item_kind = 'node')
    UNION ALL
    SELECT question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, capped
    FROM (
        WITH frontier AS (
            SELECT question_id, path_id, parent_id, tail_id, depth, nodes, edges, cut
            FROM walk
            WHERE depth < $max_depth::INTEGER AND NOT capped
        ), expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
        ), fresh AS (  -- not reached before; of several edges the one from the lowest node, then the lowest edge
            SELECT f.question_id, x.neighbour_id, x.edge_id, f.path_id, f.depth, f.nodes, f.edges,
                   row_number() OVER (PARTITION BY x.question_id, x.path_id ORDER BY x.edge_id, x.neighbour_id) AS fan
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            LEFT JOIN recurring.walk AS seen ON seen.question_id = x.question_id AND seen.tail_id = x.neighbour_id
            WHERE seen.tail_id IS NULL
              AND ($direction::VARCHAR = 'either' OR x.forward = ($direction::VARCHAR = 'forward'))
        ), chosen AS (
            SELECT *,
                   row_number() OVER (PARTITION BY question_id, neighbour_id ORDER BY path_id, edge_id) AS turn
            FROM fresh
            WHERE fan <= $fan_out::INTEGER
        )
        SELECT question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, false AS capped
        FROM (
            SELECT c.question_id,
                   c.neighbour_id AS tail_id,
                   c.depth + 1 AS depth,
                   c.neighbour_id::BIGINT AS path_id,
                   c.path_id AS parent_id,
                   list_append(c.nodes, c.neighbour_id) AS nodes,
                   list_append(c.edges, c.edge_id) AS edges,
                   count(*) OVER (PARTITION BY c.question_id) > $row_budget::INTEGER AS cut
            FROM chosen AS c
            WHERE c.turn = 1
            QUALIFY row_number() OVER (PARTITION BY c.question_id ORDER BY c.path_id, c.edge_id) <= $row_budget::INTEGER
        )
        UNION ALL
        SELECT f.question_id, f.tail_id, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.cut, true
        FROM frontier AS f
        SEMI JOIN fresh AS x ON x.question_id = f.question_id AND x.path_id = f.path_id AND x.fan > $fan_out::INTEGER
    )
)
SELECT question_id,
       depth,
       path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes,
       edges,
       []::INTEGER[] AS chunks,
       1.0::DOUBLE / (1 + depth) AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       'pattern' AS view,
       row_number() OVER (PARTITION BY question_id ORDER BY depth, tail_id)::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END,
                        CASE WHEN NOT cut AND depth >= $max_depth::INTEGER THEN 'max_depth' END), '') AS stopped
FROM walk
ORDER BY question_id, depth, tail_id
