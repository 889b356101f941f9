-- name: walk.met_score_join
-- doc: What the question makes of the nodes of `met`, from the stage table of all nodes.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN, targets BIGINT
-- order: none
SELECT v.question_id, v.node_id, v.similarity, v.relevance, v.specificity, v.hub_exposure, v.question_like, v.is_target,
       v.targets
FROM met AS m
JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
