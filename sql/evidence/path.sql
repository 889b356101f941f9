-- name: evidence.path
-- doc: Edges of the paths to the answers, in the order of those: the rows of pattern for a walk that ranks answers alone.
-- params: none
-- slots: edge
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH path AS (
    SELECT question_id, path_id, edges, score, rank AS place
    FROM walk
    WHERE depth > 0 AND kept AND rank IS NOT NULL
), edge_unit AS (
    /*<edge>*/
    SELECT question_id, path_id::INTEGER AS rank, 'edge' AS unit_kind, NULL::INTEGER AS unit_id, NULL::INTEGER AS chunk_id,
           NULL::VARCHAR AS source, path_id, 'path' AS role, score, score AS cosine, false AS kept, NULL::VARCHAR AS pruned_by
    FROM path
    WHERE false
    /*</edge>*/
)
SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, kept, pruned_by
FROM edge_unit
ORDER BY question_id, rank
