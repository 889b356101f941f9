-- name: evidence.beam
-- doc: Paths by score; up to `candidate_limit` enter, their edges are the units, first appearance wins. After
--   the units come the other chunks by seed score, for the full ranking.
-- params: candidate_limit INTEGER, evidence_count INTEGER, min_evidence INTEGER, ranking_limit INTEGER
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH path AS (  -- the same edges once
    SELECT question_id, path_id, edges, score,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, path_id) AS place
    FROM (
        SELECT question_id, path_id, edges, score
        FROM walk
        WHERE depth > 0 AND kept
        QUALIFY row_number() OVER (PARTITION BY question_id, list_sort(edges) ORDER BY score DESC, path_id) = 1
    )
), unit AS (  -- the unit's score is that of the best path that holds it
    SELECT question_id, path_id, score, place, edge_id, hop
    FROM (
        SELECT question_id, path_id, score, place, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
        FROM path
    )
    QUALIFY row_number() OVER (PARTITION BY question_id, edge_id ORDER BY place, hop) = 1
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place > $candidate_limit::INTEGER, place, hop, edge_id) AS rank
    FROM unit
), source AS (
    SELECT edge_id, min(chunk_id) AS chunk_id
    FROM edge_chunk
    GROUP BY edge_id
), judged AS (
    SELECT p.question_id, p.rank, p.edge_id, s.chunk_id, p.path_id, p.score, b.cosine,
           -- the cap holds for the filter's paths; the floor takes the best excluded units back
           (p.place <= $candidate_limit::INTEGER AND p.rank <= $evidence_count::INTEGER)
           OR p.rank <= $min_evidence::INTEGER AS kept,
           CASE WHEN p.place > $candidate_limit::INTEGER THEN 'candidate_limit' ELSE 'evidence_count' END AS rule
    FROM placed AS p
    LEFT JOIN source AS s ON s.edge_id = p.edge_id
    LEFT JOIN base AS b ON b.question_id = p.question_id AND b.chunk_id = s.chunk_id
), rest AS (
    SELECT b.question_id, b.chunk_id, b.score, b.cosine,
           b.place + coalesce((SELECT max(rank) FROM judged AS j WHERE j.question_id = b.question_id), 0) AS rank
    FROM base AS b
    WHERE b.score > 0 AND b.place <= $ranking_limit::INTEGER
)
SELECT u.question_id, u.rank, u.unit_kind, u.unit_id, u.chunk_id, d.source, u.path_id, u.role, u.score, u.cosine, u.kept,
       u.pruned_by
FROM (
    SELECT question_id, rank::INTEGER AS rank, 'edge' AS unit_kind, edge_id AS unit_id, chunk_id, path_id, 'path' AS role,
           score, cosine, kept,
           CASE WHEN NOT kept THEN rule END AS pruned_by
    FROM judged
    UNION ALL
    SELECT r.question_id, r.rank::INTEGER, 'chunk', r.chunk_id, r.chunk_id, NULL, 'seed', r.score, r.cosine,
           -- where the graph gave nothing, words and vectors do
           NOT EXISTS (SELECT 1 FROM judged AS j WHERE j.question_id = r.question_id)
           AND r.rank <= $evidence_count::INTEGER AS kept,
           CASE WHEN EXISTS (SELECT 1 FROM judged AS j WHERE j.question_id = r.question_id) THEN 'path_first'
                WHEN r.rank > $evidence_count::INTEGER THEN 'evidence_count' END
    FROM rest AS r
) AS u
LEFT JOIN chunk AS c ON c.chunk_id = u.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
ORDER BY u.question_id, u.rank
