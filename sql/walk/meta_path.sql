-- name: walk.meta_path
-- doc: The nodes that a path pattern reaches from the seeds: a walk in the product of graph and automaton, each
--   (node, state) once. No path leads back to where it may have begun, nor over it (PolyG, section 6): to the anchors of
--   its arm, which are all where there are no arms and none where the walk starts from a kind. An anchor is an answer where
--   the pattern accepts the empty path. A node with more than `fan_out` new steps takes the first and is marked `fan_out`.
-- params: max_depth INTEGER, fan_out INTEGER, row_budget INTEGER
-- slots: expand, kind
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH RECURSIVE node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN (SELECT kind FROM transition WHERE state >= 0 AND kind IS NOT NULL) AS t ON t.kind = v.kind
), start AS (  -- state -1 is the entry: it says whether the empty path is accepted, and the first node's kind
    SELECT s.question_id, s.item_id, s.state, s.last_state, coalesce(t.accepts, false) AS accepts
    FROM (  -- an anchor with states of its own starts in the first of them
        SELECT DISTINCT s.question_id, s.item_id, coalesce(m.state, 0) AS state,
               CASE WHEN s.group_id IS NOT NULL THEN coalesce(m.last_state, 2147483647) END AS last_state
        FROM seed AS s
        LEFT JOIN arm AS m
          ON m.question_id = s.question_id AND m.group_id = s.group_id AND (m.node_id IS NULL OR m.node_id = s.item_id)
        WHERE s.item_kind = 'node'
    ) AS s
    JOIN node AS v ON v.node_id = s.item_id
    LEFT JOIN transition AS t ON t.question_id = s.question_id AND t.state = -1 AND t.next_state = s.state
    WHERE t.kind IS NULL OR list_contains(v.kinds, t.kind)
), walk (question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped)
    USING KEY (question_id, tail_id, state) AS (
    SELECT question_id, item_id, state, 0, state * 4294967296::BIGINT + item_id, NULL::BIGINT, [item_id], []::INTEGER[],
           accepts, false, false
    FROM start
    UNION ALL
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped
    FROM (
        WITH frontier AS (
            SELECT question_id, path_id, parent_id, tail_id, state, depth, nodes, edges, accepted, cut
            FROM walk
            WHERE depth < $max_depth::INTEGER AND NOT capped
        ), expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
        ), moved AS (  -- the number of a path tells its state and its tail
            SELECT x.question_id, x.path_id, x.neighbour_id, x.neighbour_id AS test_id, t.kind, x.edge_id, t.next_state,
                   t.accepts, x.forward
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
            SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts,
                   dense_rank() OVER (PARTITION BY m.question_id, m.path_id ORDER BY m.edge_id) AS fan
            FROM tested AS m
            ANTI JOIN start AS s
              ON s.question_id = m.question_id AND s.item_id = m.neighbour_id AND m.next_state BETWEEN s.state AND s.last_state
            LEFT JOIN recurring.walk AS seen
              ON seen.question_id = m.question_id AND seen.tail_id = m.neighbour_id AND seen.state = m.next_state
            WHERE seen.tail_id IS NULL
        ), chosen AS (  -- of several ways to a node and state the one from the lowest path, then over the lowest edge
            SELECT question_id, neighbour_id, next_state, accepts, way.path_id AS path_id, way.edge_id AS edge_id
            FROM (
                SELECT question_id, neighbour_id, next_state, accepts, min({'path_id': path_id, 'edge_id': edge_id}) AS way
                FROM fresh
                WHERE fan <= $fan_out::INTEGER
                GROUP BY question_id, neighbour_id, next_state, accepts
            )
        )
        SELECT c.question_id,
               c.neighbour_id AS tail_id,
               c.next_state AS state,
               f.depth + 1 AS depth,
               c.next_state * 4294967296::BIGINT + c.neighbour_id AS path_id,
               c.path_id AS parent_id,
               list_append(f.nodes, c.neighbour_id) AS nodes,
               list_append(f.edges, c.edge_id) AS edges,
               c.accepts AS accepted,
               c.cut,
               false AS capped
        FROM (
            SELECT *, count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
            FROM chosen
            QUALIFY row_number() OVER (
                PARTITION BY question_id ORDER BY path_id, edge_id, next_state
            ) <= $row_budget::INTEGER
        ) AS c
        JOIN frontier AS f ON f.question_id = c.question_id AND f.path_id = c.path_id
        UNION ALL
        SELECT f.question_id, f.tail_id, f.state, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.accepted, f.cut, true
        FROM frontier AS f
        SEMI JOIN fresh AS x ON x.question_id = f.question_id AND x.path_id = f.path_id AND x.fan > $fan_out::INTEGER
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
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END), '') AS stopped
FROM answered
ORDER BY question_id, depth, path_id
