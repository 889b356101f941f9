-- name: walk.meta_path
-- doc: The nodes that a path pattern reaches from the seeds: a walk in the product of graph and automaton, each
--   (node, state) once. The anchors themselves are no answers, nor passed again.
-- params: max_depth INTEGER, row_budget INTEGER
-- slots: expand
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH RECURSIVE node_kind AS (
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN transition AS t ON t.kind = v.kind
), walk (question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut)
    USING KEY (question_id, tail_id, state) AS (
    SELECT question_id, item_id, state, 0, state * 4294967296::BIGINT + item_id, NULL::BIGINT, [item_id], []::INTEGER[],
           false, false
    FROM (  -- an anchor with a pattern of its own starts in that pattern's state
        SELECT DISTINCT s.question_id, s.item_id, coalesce(m.state, 0) AS state
        FROM seed AS s
        LEFT JOIN arm AS m ON m.question_id = s.question_id AND m.group_id = s.group_id
        WHERE s.item_kind = 'node'
    )
    UNION ALL
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut
    FROM (
        WITH frontier AS (
            SELECT question_id, path_id, tail_id, state, depth, nodes, edges
            FROM walk
            WHERE depth < $max_depth::INTEGER
        ), expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
        ), moved AS (
            SELECT f.question_id, x.neighbour_id, t.next_state, t.accepts, x.edge_id,
                   f.path_id, f.depth, f.nodes, f.edges
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            JOIN transition AS t
              ON t.question_id = f.question_id
             AND t.state = f.state
             AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
             AND (t.forward IS NULL OR t.forward = x.forward OR x.neighbour_id = f.tail_id)  -- a loop goes both ways
            LEFT JOIN node_kind AS k ON k.node_id = x.neighbour_id AND k.kind = t.kind
            WHERE t.kind IS NULL OR k.kind IS NOT NULL
        ), chosen AS (
            SELECT m.*,
                   row_number() OVER (
                       PARTITION BY m.question_id, m.neighbour_id, m.next_state ORDER BY m.path_id, m.edge_id
                   ) AS turn
            FROM moved AS m
            ANTI JOIN seed AS s ON s.question_id = m.question_id AND s.item_kind = 'node' AND s.item_id = m.neighbour_id
            LEFT JOIN recurring.walk AS seen
              ON seen.question_id = m.question_id AND seen.tail_id = m.neighbour_id AND seen.state = m.next_state
            WHERE seen.tail_id IS NULL
        )
        SELECT c.question_id,
               c.neighbour_id AS tail_id,
               c.next_state AS state,
               c.depth + 1 AS depth,
               c.next_state * 4294967296::BIGINT + c.neighbour_id AS path_id,
               c.path_id AS parent_id,
               list_append(c.nodes, c.neighbour_id) AS nodes,
               list_append(c.edges, c.edge_id) AS edges,
               c.accepts AS accepted,
               count(*) OVER (PARTITION BY c.question_id) > $row_budget::INTEGER AS cut
        FROM chosen AS c
        WHERE c.turn = 1
        QUALIFY row_number() OVER (
            PARTITION BY c.question_id ORDER BY c.path_id, c.edge_id, c.next_state
        ) <= $row_budget::INTEGER
    )
), answered AS (
    SELECT *,
           accepted AND row_number() OVER (
               PARTITION BY question_id, tail_id, accepted ORDER BY depth, state
           ) = 1 AS answers
    FROM walk
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
       CASE WHEN answers THEN 'answer' ELSE 'pattern' END AS view,
       CASE WHEN answers THEN row_number() OVER (
           PARTITION BY question_id, answers ORDER BY depth, tail_id
       ) END::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN cut THEN 'row_budget' END AS stopped
FROM answered
ORDER BY question_id, depth, path_id
