-- name: walk.hop
-- doc: What the question makes of each step out of the frontier: of the edge, of the node it leads to, and of both ends
--   together. A step back to a node of its path is left out.
-- params: none
-- slots: met_score
-- returns: question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, relation DOUBLE,
--   aligned DOUBLE, anchored INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE, hub_exposure DOUBLE,
--   question_like DOUBLE, targets BIGINT, facets BIGINT
-- order: none
WITH met AS (
    SELECT question_id, neighbour_id AS node_id FROM expansion
    UNION
    SELECT question_id, tail_id FROM frontier
), met_score AS (
    /*<met_score>*/
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
    /*</met_score>*/
)
SELECT x.question_id, x.path_id, x.neighbour_id, x.edge_id, x.relation_id,
       -- an edge's own cosine or overlap; a label-only edge takes its relation's cosine and that of the triple
       coalesce(e.similarity, r.similarity, 0) AS relation,
       coalesce(e.alignment, (coalesce(a.similarity, 0) + coalesce(r.similarity, 0) + v.similarity) / 3, 0) AS aligned,
       coalesce(e.anchored, false)::INTEGER AS anchored,
       v.similarity, v.relevance, v.specificity, v.hub_exposure, v.question_like, v.targets,
       coalesce(e.facets, 0) | coalesce(r.facets, 0) AS facets
FROM expansion AS x
JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
JOIN met_score AS v ON v.question_id = x.question_id AND v.node_id = x.neighbour_id
LEFT JOIN met_score AS a ON a.question_id = x.question_id AND a.node_id = f.tail_id
LEFT JOIN edge_score AS e ON e.question_id = x.question_id AND e.edge_id = x.edge_id
LEFT JOIN relation_score AS r ON r.question_id = x.question_id AND r.relation_id = x.relation_id
WHERE NOT list_contains(f.nodes, x.neighbour_id)
