-- name: walk.node_score_resident
-- doc: The rows of walk.node_score that seeds are chosen from: targets, the 40 nodes nearest to the question, and of those
--   without a vector the 40 best names. Where the targets alone fill the places of the seeds, no vector is searched.
-- params: seed_limit INTEGER, seed_query_mode VARCHAR
-- slots: met_score
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN, targets BIGINT
-- order: question_id, node_id
WITH sought AS (  -- named targets come before other seeds, unless each target has places of its own
    SELECT question_id,
           CASE WHEN $seed_query_mode::VARCHAR = 'per_target'
                  OR array_length(list_distinct(list_transform(targets, lambda t: t.node_id))) < $seed_limit::INTEGER
                THEN embedding::FLOAT[] END AS embedding
    FROM question
), met AS (
    SELECT question_id, node_id FROM target
    UNION
    SELECT question_id, unnest(nearest_nodes(embedding, 40)) FROM sought
    UNION
    SELECT question_id, node_id
    FROM (
        SELECT question_id, node_id
        FROM name_score
        WHERE stands_by_name(node_id)
        QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY share DESC, node_id) <= 40
    )
), met_score AS (
    /*<met_score>*/
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
    /*</met_score>*/
)
SELECT question_id, node_id, similarity, relevance, specificity, hub_exposure, question_like, is_target, targets
FROM met_score
ORDER BY question_id, node_id
