-- name: evidence.beam
-- doc: What kept paths hold, as units: the chunks that state their edges and those that are about their nodes (an edge
--   without a chunk is a unit itself). A unit's score is the chunk's own plus link_gain * the best path to it; a page
--   counts 1 / sqrt(pages of the node). Other chunks compete where chunk_units is on, or where the graph gave nothing.
-- params: link_gain DOUBLE, candidate_limit INTEGER, core_units INTEGER, adaptive_final_evidence BOOLEAN, chunk_units
--   BOOLEAN, evidence_count INTEGER, min_evidence INTEGER, ranking_limit INTEGER
-- slots: reserve
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
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
    SELECT question_id, chunk_id, bare_edge_id, NULL::INTEGER AS role_no, NULL::VARCHAR AS role
    FROM placed
    WHERE false
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
