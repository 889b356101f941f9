-- name: walk.node_score
-- doc: What the question makes of every node: cosines, and the stored terms of eq. 8 as fractions.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN
-- order: question_id, node_id
WITH aim AS (
    SELECT DISTINCT t.question_id, t.node_id, v.embedding
    FROM target AS t
    JOIN node AS v ON v.node_id = t.node_id
), to_aim AS (  -- target relevance: the best cosine with a target of the question
    SELECT a.question_id, v.node_id, max(array_inner_product(v.embedding, a.embedding)) / 16000000.0::DOUBLE AS cosine
    FROM aim AS a
    CROSS JOIN node AS v
    WHERE v.embedding IS NOT NULL AND a.embedding IS NOT NULL
    GROUP BY a.question_id, v.node_id
), aimed AS (
    SELECT DISTINCT question_id FROM aim
)
SELECT q.question_id,
       v.node_id,
       -- coalesce inside: least and greatest leave NULL out, least(1, NULL) is 1
       greatest(0, least(1, coalesce(array_inner_product(v.embedding, q.embedding) / 16000000.0::DOUBLE, 0))) AS similarity,
       CASE WHEN t.node_id IS NOT NULL THEN 1.0
            WHEN d.question_id IS NOT NULL THEN greatest(0, least(1, coalesce(a.cosine, 0)))
            ELSE greatest(0, least(1, coalesce(array_inner_product(v.embedding, q.embedding) / 16000000.0::DOUBLE, 0)))
            END AS relevance,
       greatest(0, coalesce(v.specificity, 0)) / 65536.0::DOUBLE AS specificity,
       coalesce(v.hub_share, 0) / 65536.0::DOUBLE AS hub_exposure,
       CASE WHEN ends_with(v.name, '?') THEN 1.0 ELSE 0.0 END::DOUBLE AS question_like,
       t.node_id IS NOT NULL AS is_target
FROM question AS q
CROSS JOIN node AS v
LEFT JOIN aimed AS d ON d.question_id = q.question_id
LEFT JOIN to_aim AS a ON a.question_id = q.question_id AND a.node_id = v.node_id
LEFT JOIN aim AS t ON t.question_id = q.question_id AND t.node_id = v.node_id
WHERE v.degree > 0 OR t.node_id IS NOT NULL
ORDER BY q.question_id, v.node_id
