-- name: refine.often
-- doc: By how many edges each answer is reached that passes the filters: what joins it to one node along several relations,
--   or both ways, counts once, with the most edges along one of them.
-- params: none
-- slots: none
-- returns: question_id INTEGER, node_id INTEGER, unit INTEGER, edge_count BIGINT
-- order: none
WITH along AS (
    SELECT p.question_id, p.node_id, p.unit, e.relation_id, e.target_id = p.node_id AS forward,
           CASE WHEN e.target_id = p.node_id THEN e.source_id ELSE e.target_id END AS other,
           count(DISTINCT p.edge_id) AS edge_count
    FROM passed AS p
    JOIN edge AS e ON e.edge_id = p.edge_id
    WHERE p.stands
    GROUP BY ALL
), joined AS (
    SELECT question_id, node_id, unit, other, max(edge_count) AS edge_count
    FROM along
    GROUP BY question_id, node_id, unit, other
)
SELECT question_id, node_id, unit, sum(edge_count)::BIGINT AS edge_count
FROM joined
GROUP BY question_id, node_id, unit
