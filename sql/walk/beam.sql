-- name: walk.beam
-- doc: MOSAIC's scored path beam over the entity graph: all kept paths grow by one edge, nine features score
--   them (eq. 8), the best `beam_width` stay, and the walk stops when a depth adds little and enough is covered
--   (eq. 9, 10).
-- params: none
-- slots: met_score, step
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH RECURSIVE aim AS (  -- targets and facets whose coverage completes the evidence
    SELECT q.question_id, count(DISTINCT t.group_id) AS groups, count(DISTINCT f.query_no) AS facets
    FROM question AS q
    LEFT JOIN target AS t ON t.question_id = q.question_id
    LEFT JOIN query AS f ON f.question_id = q.question_id AND f.role = 'facet'
    GROUP BY q.question_id
), met AS (
    SELECT question_id, item_id AS node_id FROM seed WHERE item_kind = 'node'
), met_score AS (
    /*<met_score>*/
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
    /*</met_score>*/
), start AS (
    SELECT s.question_id, s.item_id, s.group_id, s.score, coalesce(v.targets, 0) AS targets,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS place
    FROM seed AS s
    LEFT JOIN met_score AS v ON v.question_id = s.question_id AND v.node_id = s.item_id
    WHERE s.item_kind = 'node'
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           s.place AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           coalesce(s.group_id, -1 - s.item_id) AS seed_group,
           [s.item_id] AS nodes,
           []::INTEGER[] AS edges,
           []::INTEGER[] AS relations,
           {'relation': 0.0::DOUBLE, 'aim': 0.0::DOUBLE, 'specific': 0.0::DOUBLE, 'anchored': 0.0::DOUBLE,
            'aligned': 0.0::DOUBLE, 'coherent': 0.0::DOUBLE, 'hub': 0.0::DOUBLE, 'first': 0.0::DOUBLE, 'last': 0.0::DOUBLE,
            'repeated': 0.0::DOUBLE, 'question_like': 0.0::DOUBLE} AS sums,
           s.score AS score,
           {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
            'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
            'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
            'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
           'seed' AS view,
           s.place AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by,
           list(s.item_id) OVER (PARTITION BY s.question_id ORDER BY s.item_id
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS seen_nodes,
           []::INTEGER[] AS seen_edges,
           bit_or(s.targets) OVER (PARTITION BY s.question_id) AS targets,
           0::BIGINT AS facets,
           NULL::DOUBLE AS gain,
           NULL::DOUBLE AS completeness,
           NULL::VARCHAR AS stopped
    FROM start AS s
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, seed_group, nodes, edges, relations, sums, score, terms,
           view, rank, kept, pruned_by, seen_nodes, seen_edges, targets, facets, gain, completeness, stopped
    FROM (
        /*<step>*/ SELECT * FROM walk WHERE false /*</step>*/
    )
)
SELECT question_id,
       depth,
       path_id::BIGINT AS path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes,
       edges,
       []::INTEGER[] AS chunks,
       score,
       terms,
       view,
       rank::INTEGER AS rank,
       kept,
       pruned_by,
       gain,
       completeness,
       stopped
FROM walk
ORDER BY question_id, depth, path_id
