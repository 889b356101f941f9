-- name: evidence.reserve
-- doc: Places for complementary roles (adaptive_final_evidence). The core are the best units, and covered is what the path
--   of each speaks of; beside it, at most one path each that connects, speaks of an uncovered target, of an uncovered
--   facet, or begins with a relation not yet seen; the best of the filter's candidates, and of each its best unit outside
--   of the core.
-- params: candidate_limit INTEGER, core_units INTEGER, rule_relation_id INTEGER
-- slots: met_score
-- returns: question_id INTEGER, chunk_id INTEGER, bare_edge_id INTEGER, role_no INTEGER, role VARCHAR
-- order: none
WITH core_path AS (
    SELECT DISTINCT question_id, path_id
    FROM placed
    WHERE eligible AND turn <= $core_units::INTEGER AND path_id IS NOT NULL
), met AS (
    SELECT DISTINCT question_id, node_id
    FROM (SELECT question_id, unnest(nodes) AS node_id FROM path)
), met_score AS (
    /*<met_score>*/
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
    /*</met_score>*/
), says AS (  -- which targets and facets a path of the core or a candidate speaks of
    SELECT p.question_id, p.path_id, p.place, p.view, e.relation_id, k.path_id IS NOT NULL AS in_core,
           (SELECT coalesce(bit_or(v.targets), 0) FROM met_score AS v
            WHERE v.question_id = p.question_id AND list_contains(p.nodes, v.node_id)) AS targets,
           (SELECT coalesce(bit_or(s.facets), 0) FROM edge_score AS s
            WHERE s.question_id = p.question_id AND list_contains(p.edges, s.edge_id)) AS facets
    FROM path AS p
    JOIN edge AS e ON e.edge_id = p.edges[1]
    LEFT JOIN core_path AS k ON k.question_id = p.question_id AND k.path_id = p.path_id
    WHERE p.place <= $candidate_limit::INTEGER OR k.path_id IS NOT NULL
), core AS (
    SELECT question_id, bit_or(targets) AS targets, bit_or(facets) AS facets, list(relation_id) AS relations
    FROM says
    WHERE in_core
    GROUP BY question_id
), beside AS (
    SELECT question_id, path_id, place, view, relation_id, targets, facets
    FROM says
    WHERE NOT in_core
), connector_role AS (
    SELECT s.question_id, s.path_id, s.targets, s.facets, s.relation_id
    FROM beside AS s
    WHERE s.view = 'connector'
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), target_role AS (  -- a target that neither the core nor the connector path speaks of
    SELECT s.question_id, s.path_id, s.facets, s.relation_id
    FROM beside AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    WHERE s.path_id IS DISTINCT FROM k.path_id
      AND s.targets & ~(coalesce(c.targets, 0) | coalesce(k.targets, 0)) <> 0
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), facet_role AS (
    SELECT s.question_id, s.path_id, s.relation_id
    FROM beside AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    LEFT JOIN target_role AS t ON t.question_id = s.question_id
    WHERE s.path_id IS DISTINCT FROM k.path_id AND s.path_id IS DISTINCT FROM t.path_id
      AND s.facets & ~(coalesce(c.facets, 0) | coalesce(k.facets, 0) | coalesce(t.facets, 0)) <> 0
    QUALIFY row_number() OVER (PARTITION BY s.question_id ORDER BY s.place) = 1
), relation_role AS (  -- a first relation not yet seen; rules give all their edges one
    SELECT s.question_id, s.path_id
    FROM beside AS s
    LEFT JOIN core AS c ON c.question_id = s.question_id
    LEFT JOIN connector_role AS k ON k.question_id = s.question_id
    LEFT JOIN target_role AS t ON t.question_id = s.question_id
    LEFT JOIN facet_role AS f ON f.question_id = s.question_id
    WHERE s.relation_id <> $rule_relation_id::INTEGER
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
WHERE NOT (u.eligible AND u.turn <= $core_units::INTEGER)
GROUP BY u.question_id, u.chunk_id, u.bare_edge_id
QUALIFY row_number() OVER (PARTITION BY u.question_id, min(r.role_no) ORDER BY min(u.place)) = 1
