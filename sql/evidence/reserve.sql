-- name: evidence.reserve
-- doc: Places for complementary roles (adaptive_final_evidence): beside the core, at most one path each that connects,
--   speaks of an uncovered target, of an uncovered facet, or begins with a relation not yet seen; the best of the filter's
--   candidates, and of each its best unit outside of the core.
-- params: candidate_limit INTEGER, core_paths INTEGER, rule_relation_id INTEGER
-- returns: question_id INTEGER, chunk_id INTEGER, bare_edge_id INTEGER, role_no INTEGER, role VARCHAR
-- order: none
WITH says AS (  -- which targets and facets a candidate path speaks of
    SELECT p.question_id, p.path_id, p.place, p.view, e.relation_id,
           (SELECT coalesce(bit_or(v.targets), 0) FROM node_score AS v
            WHERE v.question_id = p.question_id AND list_contains(p.nodes, v.node_id)) AS targets,
           (SELECT coalesce(bit_or(s.facets), 0) FROM edge_score AS s
            WHERE s.question_id = p.question_id AND list_contains(p.edges, s.edge_id)) AS facets
    FROM path AS p
    JOIN edge AS e ON e.edge_id = p.edges[1]
    WHERE p.place <= $candidate_limit::INTEGER
), core AS (
    SELECT question_id, bit_or(targets) AS targets, bit_or(facets) AS facets, list(relation_id) AS relations
    FROM says
    WHERE place <= $core_paths::INTEGER
    GROUP BY question_id
), connector_role AS (
    SELECT s.question_id, s.path_id, s.targets, s.facets, s.relation_id
    FROM says AS s
    WHERE s.place > $core_paths::INTEGER AND s.view = 'connector'
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), target_role AS (  -- a target that neither the core nor the connector path speaks of
    SELECT s.question_id, s.path_id, s.facets, s.relation_id
    FROM says AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    WHERE s.place > $core_paths::INTEGER AND s.path_id IS DISTINCT FROM k.path_id
      AND s.targets & ~(coalesce(c.targets, 0) | coalesce(k.targets, 0)) <> 0
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), facet_role AS (
    SELECT s.question_id, s.path_id, s.relation_id
    FROM says AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    LEFT JOIN target_role AS t ON t.question_id = s.question_id
    WHERE s.place > $core_paths::INTEGER AND s.path_id IS DISTINCT FROM k.path_id AND s.path_id IS DISTINCT FROM t.path_id
      AND s.facets & ~(coalesce(c.facets, 0) | coalesce(k.facets, 0) | coalesce(t.facets, 0)) <> 0
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), relation_role AS (  -- a first relation not yet seen; rules give all their edges one
    SELECT s.question_id, s.path_id
    FROM says AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    LEFT JOIN target_role AS t ON t.question_id = s.question_id
    LEFT JOIN facet_role AS f ON f.question_id = s.question_id
    WHERE s.place > $core_paths::INTEGER AND s.relation_id <> $rule_relation_id::INTEGER
      AND s.path_id IS DISTINCT FROM k.path_id AND s.path_id IS DISTINCT FROM t.path_id AND s.path_id IS DISTINCT FROM f.path_id
      AND NOT list_contains(coalesce(c.relations, []), s.relation_id)
      AND s.relation_id IS DISTINCT FROM k.relation_id AND s.relation_id IS DISTINCT FROM t.relation_id
      AND s.relation_id IS DISTINCT FROM f.relation_id
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), role AS (
    SELECT question_id, path_id, 1 AS role_no, 'connector' AS role FROM connector_role
    UNION ALL SELECT question_id, path_id, 2, 'target' FROM target_role
    UNION ALL SELECT question_id, path_id, 3, 'facet' FROM facet_role
    UNION ALL SELECT question_id, path_id, 4, 'relation' FROM relation_role
)
-- of the role's path the best unit outside of the core
SELECT u.question_id, u.chunk_id, u.bare_edge_id, min(r.role_no)::INTEGER AS role_no, min_by(r.role, r.role_no) AS role
FROM (
    SELECT r.question_id, r.role_no, r.role, s.chunk_id, CASE WHEN s.chunk_id IS NULL THEN s.edge_id END AS bare_edge_id
    FROM role AS r
    JOIN stated AS s ON s.question_id = r.question_id AND s.path_id = r.path_id
) AS r
JOIN placed AS u
  ON u.question_id = r.question_id
 AND u.chunk_id IS NOT DISTINCT FROM r.chunk_id AND u.bare_edge_id IS NOT DISTINCT FROM r.bare_edge_id
WHERE u.place > $core_paths::INTEGER
GROUP BY u.question_id, u.chunk_id, u.bare_edge_id
QUALIFY row_number() OVER (PARTITION BY u.question_id, min(r.role_no) ORDER BY min(u.place)) = 1
