-- name: walk.chunk_hop
-- doc: Chunk -node-> chunk, best single link: each kept chunk offers the chunks its names lead to, a chunk keeps
--   the best path into it (the maximum, never the sum).
-- params: body_weight DOUBLE, cue_weight DOUBLE, max_depth INTEGER
-- slots: near, step
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH RECURSIVE near_link AS MATERIALIZED (  -- what does not depend on the path is joined once, before the recursion
    SELECT n.question_id, n.chunk_id, n.node_id, n.next_chunk_id, n.is_title,
           n.specificity / 65536.0::DOUBLE AS specificity,
           CASE WHEN n.is_title
                THEN $body_weight::DOUBLE + (1 - $body_weight::DOUBLE) * n.title_share / 65536.0::DOUBLE
                ELSE $body_weight::DOUBLE END AS tau,
           $cue_weight::DOUBLE * coalesce(u.score, 0) AS cue,
           coalesce(b.score, 0) AS prior,
           coalesce(b.covered, 0) AS covered,
           q.idf, q.idf_total
    FROM (
        /*<near>*/
        SELECT s.question_id, l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
        FROM seed AS s
        JOIN link AS l ON l.chunk_id = s.item_id
        WHERE s.item_kind = 'chunk'
        /*</near>*/
    ) AS n
    JOIN question AS q ON q.question_id = n.question_id
     AND NOT list_contains(q.topics, n.node_id)  -- what the question is about is no bridge
    LEFT JOIN base AS b ON b.question_id = n.question_id AND b.chunk_id = n.next_chunk_id
    LEFT JOIN cue AS u ON u.question_id = n.question_id AND u.chunk_id = n.chunk_id AND u.node_id = n.node_id
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           []::INTEGER[] AS nodes,
           [s.item_id] AS chunks,
           s.score AS score,
           NULL::STRUCT(
               source_weight DOUBLE, specificity DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE
           ) AS terms,
           coalesce(b.covered, 0) AS covered,
           'seed' AS view,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by
    FROM seed AS s
    LEFT JOIN base AS b ON b.question_id = s.question_id AND b.chunk_id = s.item_id
    WHERE s.item_kind = 'chunk'
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, nodes, chunks, score, terms, covered, view, rank, kept, pruned_by
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
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': terms.specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': terms.source_weight, 'tau': terms.tau, 'cue': terms.cue, 'residual': terms.residual} AS terms,
       view,
       rank::INTEGER AS rank,
       kept,
       pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
FROM walk
ORDER BY question_id, depth, path_id
