-- name: walk.name_score
-- doc: BM25 of the question's words over the names of nodes, relative to the best name, in (0, 1]: what stands in for a
--   cosine where a node has no vector.
-- params: none
-- returns: question_id INTEGER, node_id INTEGER, share DOUBLE
-- order: question_id, node_id
SELECT question_id, node_id, weight / max(weight) OVER (PARTITION BY question_id) AS share
FROM (
    SELECT q.question_id, p.node_id, sum(p.weight)::BIGINT AS weight
    FROM question_term AS q
    JOIN name_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.node_id
)
ORDER BY question_id, node_id
