-- name: walk.unrolled
-- doc: The rows of meta_path without recursion, one level inside the next: a join with the stored adjacency outside of a
--   recursion reads only the row groups that hold its nodes. For short patterns in a large corpus.
-- params: none
-- slots: start, level, found
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
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
), level AS MATERIALIZED (
    /*<level>*/
    SELECT question_id, item_id AS tail_id, state, 0 AS depth, state * 4294967296::BIGINT + item_id AS path_id,
           NULL::BIGINT AS parent_id, [item_id] AS nodes, []::INTEGER[] AS edges, accepts AS accepted, false AS cut,
           false AS capped
    FROM start
    /*</level>*/
), walked AS (  -- a path that is given again, capped, is that one
    SELECT l.question_id, l.tail_id, l.state, l.depth, l.path_id, l.parent_id, l.nodes, l.edges, l.accepted, l.cut, l.capped
    FROM level AS l
    ANTI JOIN (SELECT question_id, path_id FROM level WHERE capped) AS c
      ON c.question_id = l.question_id AND c.path_id = l.path_id AND NOT l.capped
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
