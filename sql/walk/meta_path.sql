-- name: walk.meta_path
-- doc: The nodes that a path pattern reaches from the seeds: a walk in the product of graph and automaton, each
--   (node, state) once. No path leads back to where it may have begun, nor over it (PolyG, section 6): to the anchors of
--   its arm, which are all where there are no arms and none where the walk starts from a kind. An anchor is an answer where
--   the pattern accepts the empty path. A node with more than `fan_out` new steps takes the first and is marked `fan_out`.
-- params: max_depth INTEGER
-- slots: start, step, found
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
), start AS (
    /*<start>*/
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
    /*</start>*/
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
        ), seen AS (
            SELECT question_id, tail_id, state FROM recurring.walk
        )
        SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped
        FROM (
            /*<step>*/
            SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, true AS capped
            FROM frontier
            /*</step>*/
        )
    )
), walked AS (
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped FROM walk
)
/*<found>*/
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
           PARTITION BY question_id ORDER BY NOT answers, depth, tail_id
       ) END::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END), '') AS stopped
FROM (  -- of the paths to a node the first that is accepted; one window over all rows, since each part of one costs time
    SELECT *, accepted AND (question_id, tail_id) IS DISTINCT FROM lag((question_id, tail_id)) OVER (
               ORDER BY question_id, tail_id, NOT accepted, depth, state
           ) AS answers
    FROM walked
)
ORDER BY question_id, depth, path_id
/*</found>*/
