-- name: walk.within
-- doc: A walk whose answers are held to nodes that earlier steps found: those of `within` (NULL: any) and none of
--   `without`. What is held back stays in the walk, with the rule that did it.
-- params: within INTEGER[], without INTEGER[]
-- slots: walk
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH found AS (
    /*<walk>*/
    SELECT question_id, depth, path_id, parent_id, tail_kind, tail_id, nodes, edges, chunks, score, terms, view, rank, kept,
           pruned_by, gain, completeness, stopped
    FROM walk
    /*</walk>*/
), inside AS (
    SELECT DISTINCT node_id
    FROM (SELECT unnest($within::INTEGER[]) AS node_id)
), outside AS (
    SELECT DISTINCT node_id
    FROM (SELECT unnest($without::INTEGER[]) AS node_id)
), judged AS (
    SELECT f.*,
           CASE WHEN f.view <> 'answer' THEN NULL
                WHEN $within::INTEGER[] IS NOT NULL AND i.node_id IS NULL THEN 'within'
                WHEN o.node_id IS NOT NULL THEN 'without' END AS held_back
    FROM found AS f
    LEFT JOIN inside AS i ON i.node_id = f.tail_id
    LEFT JOIN outside AS o ON o.node_id = f.tail_id
)
SELECT question_id,
       depth,
       path_id,
       parent_id,
       tail_kind,
       tail_id,
       nodes,
       edges,
       chunks,
       score,
       terms,
       view,
       CASE WHEN held_back IS NULL AND rank IS NOT NULL THEN row_number() OVER (
           PARTITION BY question_id, held_back IS NULL AND rank IS NOT NULL ORDER BY rank
       ) END::INTEGER AS rank,
       kept AND held_back IS NULL AS kept,
       coalesce(held_back, pruned_by) AS pruned_by,
       gain,
       completeness,
       stopped
FROM judged
ORDER BY question_id, depth, path_id
