-- name: walk.met_score_resident
-- doc: What the question makes of the nodes of `met`, by `node_scores`, a function over arrays in memory: the rows of
--   walk.node_score, of the nodes that a walk comes to and not of all.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN, targets BIGINT
-- order: none
SELECT q.question_id,
       unnest(node_scores(
           q.embedding::FLOAT[],
           list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
           a.asked
       ), recursive := true)
FROM question AS q
JOIN (
    SELECT m.question_id, list({'node_id': m.node_id, 'share': n.share}) AS asked
    FROM met AS m
    LEFT JOIN name_score AS n ON n.question_id = m.question_id AND n.node_id = m.node_id
    GROUP BY m.question_id
) AS a ON a.question_id = q.question_id
