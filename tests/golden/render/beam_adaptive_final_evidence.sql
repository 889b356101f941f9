-- evidence: evidence.beam
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/
WITH path AS (  -- the same edges once
    SELECT question_id, path_id, nodes, edges, view, score,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, path_id) AS place
    FROM (
        SELECT question_id, path_id, nodes, edges, view, score
        FROM walk
        WHERE depth > 0 AND kept
        QUALIFY row_number() OVER (PARTITION BY question_id, list_sort(edges) ORDER BY score DESC, path_id) = 1
    )
), on_path AS (
    SELECT question_id, path_id, place, score, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
    FROM path
), beside AS (
    SELECT question_id, path_id, place, score, unnest(nodes) AS node_id, generate_subscripts(nodes, 1) AS hop
    FROM path
), page_count AS (
    SELECT node_id, count(*) AS pages
    FROM title_page
    WHERE node_id IN (SELECT node_id FROM beside)
    GROUP BY node_id
), stated AS (
    SELECT p.question_id, p.path_id, p.place, p.hop, p.edge_id, c.chunk_id, p.score AS strength
    FROM on_path AS p
    LEFT JOIN edge_chunk AS c ON c.edge_id = p.edge_id
    UNION ALL
    SELECT b.question_id, b.path_id, b.place, b.hop, NULL, t.chunk_id, b.score / sqrt(n.pages)
    FROM beside AS b
    JOIN title_page AS t ON t.node_id = b.node_id
    JOIN page_count AS n ON n.node_id = b.node_id
), reached AS (  -- first appearance on the best path wins
    SELECT question_id, chunk_id, CASE WHEN chunk_id IS NULL THEN edge_id END AS bare_edge_id,
           max(strength) AS strength, min(place) AS place,
           arg_min({'path_id': path_id, 'edge_id': edge_id}, (-strength, place, edge_id IS NULL, hop, edge_id)) AS by_path
    FROM stated
    GROUP BY question_id, chunk_id, bare_edge_id
), unit AS (
    SELECT r.question_id, r.chunk_id, r.bare_edge_id, r.by_path.path_id AS path_id, r.by_path.edge_id AS edge_id, b.cosine,
           coalesce(b.score, 0) + $link_gain::DOUBLE * greatest(0, r.strength) AS score,
           r.place <= $candidate_limit::INTEGER AS eligible, 'candidate_limit' AS rule
    FROM reached AS r
    LEFT JOIN base AS b ON b.question_id = r.question_id AND b.chunk_id = r.chunk_id
    UNION ALL
    SELECT b.question_id, b.chunk_id, NULL, NULL, NULL, b.cosine, b.score,
           $chunk_units::BOOLEAN OR NOT EXISTS (SELECT 1 FROM path AS p WHERE p.question_id = b.question_id), 'chunk_units'
    FROM base AS b
    ANTI JOIN reached AS r ON r.question_id = b.question_id AND r.chunk_id = b.chunk_id
    WHERE b.score > 0 AND b.place <= $ranking_limit::INTEGER
), placed AS (
    SELECT *,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, chunk_id, bare_edge_id) AS place,
           row_number() OVER (PARTITION BY question_id, eligible ORDER BY score DESC, chunk_id, bare_edge_id) AS turn
    FROM unit
), reserved AS (
    /*<reserve>*/
    WITH core_path AS (
        SELECT DISTINCT question_id, path_id
        FROM placed
        WHERE eligible AND turn <= $core_units::INTEGER AND path_id IS NOT NULL
    ), met AS (
        SELECT DISTINCT question_id, node_id
        FROM (SELECT question_id, unnest(nodes) AS node_id FROM path)
    ), met_score AS (
        /*<met_score>*/
        SELECT v.question_id, v.node_id, v.similarity, v.relevance, v.specificity, v.hub_exposure, v.question_like, v.is_target,
               v.targets
        FROM met AS m
        JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
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
/*</reserve>*/
), ordered AS (  -- the core units, then one for each missing role, then the rest by score
    SELECT p.question_id, p.chunk_id, p.bare_edge_id, p.path_id, p.edge_id, p.score, p.cosine, p.eligible, p.rule, p.turn,
           r.role,
           row_number() OVER (
               PARTITION BY p.question_id
               ORDER BY CASE WHEN r.role_no IS NOT NULL THEN 1
                             WHEN $adaptive_final_evidence::BOOLEAN AND NOT (p.eligible AND p.turn <= $core_units::INTEGER)
                             THEN 2 ELSE 0 END,
                        r.role_no, p.place
           ) AS rank,
           count(*) FILTER (p.eligible) OVER (PARTITION BY p.question_id) AS eligible_count
    FROM placed AS p
    LEFT JOIN reserved AS r
      ON r.question_id = p.question_id
     AND r.chunk_id IS NOT DISTINCT FROM p.chunk_id AND r.bare_edge_id IS NOT DISTINCT FROM p.bare_edge_id
), judged AS (  -- the cap; the floor takes the best excluded units back
    SELECT *,
           CASE WHEN eligible
                THEN count(*) FILTER (eligible) OVER (PARTITION BY question_id ORDER BY rank) <= $evidence_count::INTEGER
                ELSE turn <= $min_evidence::INTEGER - eligible_count END AS kept
    FROM ordered
)
SELECT j.question_id,
       j.rank::INTEGER AS rank,
       CASE WHEN j.edge_id IS NULL THEN 'chunk' ELSE 'edge' END AS unit_kind,
       coalesce(j.edge_id, j.chunk_id) AS unit_id,
       j.chunk_id,
       d.source,
       j.path_id,
       coalesce(j.role, CASE WHEN j.edge_id IS NOT NULL THEN 'path'
                             WHEN j.path_id IS NOT NULL THEN 'page' ELSE 'seed' END) AS role,
       j.score,
       j.cosine,
       j.kept,
       -- a unit that the floor took back tells the rule that was against it
       CASE WHEN NOT j.eligible THEN j.rule WHEN NOT j.kept THEN 'evidence_count' END AS pruned_by
FROM judged AS j
LEFT JOIN chunk AS c ON c.chunk_id = j.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
WHERE j.kept OR j.rank <= $ranking_limit::INTEGER
ORDER BY j.question_id, j.rank
/*</rows>*/;
