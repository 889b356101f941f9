-- name: walk.node_score
-- doc: What the question makes of every node: cosines, and the stored terms of eq. 8 as fractions. Where a vector is
--   missing, name_score stands in.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN, targets BIGINT
-- order: question_id, node_id
WITH aim AS (
    SELECT t.question_id, t.group_id, t.node_id, v.embedding
    FROM target AS t
    JOIN node AS v ON v.node_id = t.node_id
), near_aim AS (
    SELECT a.question_id, a.group_id, v.node_id,
           list_inner_product(v.embedding, a.embedding) / 16000000.0::DOUBLE AS cosine
    FROM aim AS a
    CROSS JOIN node AS v
    WHERE v.embedding IS NOT NULL AND a.embedding IS NOT NULL
), to_aim AS (  -- target relevance: the best cosine with a target; from 0.60 on the node stands for it
    SELECT question_id, node_id, max(cosine) AS cosine,
           coalesce(bit_or(1::BIGINT << group_id) FILTER (cosine >= 0.60), 0) AS targets
    FROM near_aim
    GROUP BY question_id, node_id
), is_aim AS (
    SELECT question_id, node_id, bit_or(1::BIGINT << group_id) AS targets
    FROM aim
    GROUP BY question_id, node_id
), aimed AS (
    SELECT DISTINCT question_id FROM target
), near AS (
    SELECT q.question_id, v.node_id, v.name, v.specificity, v.hub_share,
           -- coalesce inside: least and greatest leave NULL out, least(1, NULL) is 1
           greatest(0, least(1, coalesce(
               -- as lists two vectors may differ in length, but a missing one is an error
               CASE WHEN v.embedding IS NOT NULL AND q.embedding IS NOT NULL
                    THEN list_inner_product(v.embedding, q.embedding) END / 16000000.0::DOUBLE,
               l.share, 0
           ))) AS similarity,
           d.question_id IS NOT NULL AS has_aim,
           a.cosine AS aim_cosine,
           t.node_id IS NOT NULL AS is_target,
           coalesce(a.targets, 0) | coalesce(t.targets, 0) AS targets
    FROM question AS q
    CROSS JOIN node AS v
    LEFT JOIN name_score AS l ON l.question_id = q.question_id AND l.node_id = v.node_id
    LEFT JOIN aimed AS d ON d.question_id = q.question_id
    LEFT JOIN to_aim AS a ON a.question_id = q.question_id AND a.node_id = v.node_id
    LEFT JOIN is_aim AS t ON t.question_id = q.question_id AND t.node_id = v.node_id
    WHERE v.degree > 0 OR t.node_id IS NOT NULL
)
SELECT question_id,
       node_id,
       similarity,
       CASE WHEN is_target THEN 1.0
            WHEN has_aim THEN greatest(0, least(1, coalesce(aim_cosine, 0)))
            ELSE similarity END AS relevance,
       greatest(0, coalesce(specificity, 0)) / 65536.0::DOUBLE AS specificity,
       coalesce(hub_share, 0) / 65536.0::DOUBLE AS hub_exposure,
       CASE WHEN ends_with(name, '?') THEN 1.0 ELSE 0.0 END::DOUBLE AS question_like,
       is_target,
       targets
FROM near
ORDER BY question_id, node_id
