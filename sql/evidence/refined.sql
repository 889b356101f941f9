-- name: evidence.refined
-- doc: Edges of the paths to the answers that were kept, in the order of the answers; then further edges that count for
--   them.
-- params: evidence_count INTEGER
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH answer AS (
    SELECT question_id, rank AS place, path_id, edges
    FROM refine
    WHERE kept
), way AS (  -- every path of the walk that ends in an edge which counts: one for each anchor
    SELECT a.question_id, a.place, w.path_id, w.edges, w.score
    FROM answer AS a
    JOIN walk AS w ON w.question_id = a.question_id
     AND (w.path_id = a.path_id OR (w.depth > 0 AND w.kept AND list_contains(a.edges, w.edges[array_length(w.edges)])))
), stated AS (
    SELECT question_id, place, path_id, score, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
    FROM way
    UNION ALL
    SELECT question_id, place, NULL::BIGINT, 0.0::DOUBLE, unnest(edges), 1000
    FROM answer
), unit AS (
    SELECT question_id, place, path_id, score, edge_id, hop
    FROM stated
    QUALIFY row_number() OVER (PARTITION BY question_id, edge_id ORDER BY place, hop, path_id) = 1
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place, hop, path_id, edge_id) AS rank
    FROM unit
), source AS (
    SELECT edge_id, min(chunk_id) AS chunk_id
    FROM edge_chunk
    GROUP BY edge_id
)
SELECT p.question_id,
       p.rank::INTEGER AS rank,
       'edge' AS unit_kind,
       p.edge_id AS unit_id,
       s.chunk_id,
       d.source,
       p.path_id,
       'path' AS role,
       p.score,
       NULL::DOUBLE AS cosine,
       p.rank <= $evidence_count::INTEGER AS kept,
       CASE WHEN p.rank > $evidence_count::INTEGER THEN 'evidence_count' END AS pruned_by
FROM placed AS p
LEFT JOIN source AS s ON s.edge_id = p.edge_id
LEFT JOIN chunk AS c ON c.chunk_id = s.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
ORDER BY p.question_id, p.rank
