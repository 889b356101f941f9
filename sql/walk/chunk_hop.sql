-- name: walk.chunk_hop
-- doc: Chunk -node-> chunk, best single link: each kept chunk offers the chunks its names lead to, a chunk keeps
--   the best path into it (the maximum, never the sum).
-- params: topics STRUCT(question_id INTEGER, node_id INTEGER)[], max_depth INTEGER
-- slots: near, step
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH RECURSIVE topic AS (  -- a name the question holds is its topic, not a bridge
    SELECT unnest($topics::STRUCT(question_id INTEGER, node_id INTEGER)[], recursive := true)
), near_link AS MATERIALIZED (
    /*<near>*/
    SELECT l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
    FROM link AS l
    WHERE l.chunk_id IN (SELECT item_id FROM seed WHERE item_kind = 'chunk')
    /*</near>*/
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           []::INTEGER[] AS nodes,
           [s.item_id] AS chunks,
           s.score AS score,
           NULL::DOUBLE AS specificity, NULL::DOUBLE AS source_weight, NULL::DOUBLE AS tau,
           NULL::DOUBLE AS cue, NULL::DOUBLE AS residual,
           coalesce(b.covered, 0) AS covered,
           'seed' AS view,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by
    FROM seed AS s
    LEFT JOIN base AS b ON b.question_id = s.question_id AND b.chunk_id = s.item_id
    WHERE s.item_kind = 'chunk'
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, nodes, chunks, score,
           specificity, source_weight, tau, cue, residual, covered, view, rank, kept, pruned_by
    FROM (
        /*<step>*/ SELECT * FROM walk WHERE false /*</step>*/
    )
)
SELECT question_id::INTEGER AS question_id,
       depth,
       path_id::BIGINT AS path_id,
       parent_id,
       'chunk' AS tail_kind,
       tail_id,
       nodes,
       []::INTEGER[] AS edges,
       chunks,
       score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': source_weight, 'tau': tau, 'cue': cue, 'residual': residual} AS terms,
       view,
       rank::INTEGER AS rank,
       kept,
       pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
FROM walk
ORDER BY question_id, depth, path_id
