-- name: evidence.edge
-- doc: The edges of some paths in their order, each once, by the first path that holds it, with a chunk that states it.
-- params: evidence_count INTEGER
-- slots: none
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: none
WITH unit AS (  -- each edge once, by the first path that holds it
    SELECT question_id, edge_id, first.place AS place, first.hop AS hop, first.path_id AS path_id, first.score AS score
    FROM (
        SELECT question_id, edge_id, min({'place': place, 'hop': hop, 'path_id': path_id, 'score': score}) AS first
        FROM (
            SELECT question_id, path_id, score, place, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
            FROM path
        )
        GROUP BY question_id, edge_id
    )
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place, hop, edge_id) AS rank
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
