-- name: walk.node_score_resident
-- doc: The rows of walk.node_score by `node_scores`, a function over arrays in memory: the same arithmetic, without a join of
--   every node with every vector that the question asks for.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE,
--   hub_exposure DOUBLE, question_like DOUBLE, is_target BOOLEAN, targets BIGINT
-- order: none
WITH named AS (
    SELECT q.question_id, p.node_id, sum(p.weight)::BIGINT AS weight
    FROM question_term AS q
    JOIN name_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.node_id
), alike AS (
    SELECT question_id, list({'node_id': node_id, 'weight': weight}) AS names
    FROM named
    GROUP BY question_id
)
SELECT q.question_id,
       unnest(node_scores(
           q.embedding::FLOAT[],
           list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
           l.names
       ), recursive := true)
FROM question AS q
LEFT JOIN alike AS l ON l.question_id = q.question_id
