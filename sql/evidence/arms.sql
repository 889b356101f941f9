-- name: evidence.arms
-- doc: What each arm of `base` finds alone, to compare a walk with: `bm25`, `dense` (cosine), and `fusion` of both
--   by reciprocal rank.
-- params: fusion_constant INTEGER, ranking_limit INTEGER
-- returns: question_id INTEGER, arm VARCHAR, rank INTEGER, chunk_id INTEGER, source VARCHAR
-- order: question_id, arm, rank
WITH placed AS (  -- an arm that does not find a chunk gives it no place
    SELECT question_id, chunk_id,
           CASE WHEN lexical > 0
                THEN row_number() OVER (PARTITION BY question_id ORDER BY lexical DESC, chunk_id) END AS bm25,
           CASE WHEN cosine IS NOT NULL
                THEN row_number() OVER (PARTITION BY question_id ORDER BY cosine DESC NULLS LAST, chunk_id) END AS dense
    FROM base
), fused AS (
    SELECT question_id, chunk_id, bm25, dense,
           coalesce(1.0::DOUBLE / ($fusion_constant::INTEGER + bm25), 0)
           + coalesce(1.0::DOUBLE / ($fusion_constant::INTEGER + dense), 0) AS score
    FROM placed
), arm AS (
    SELECT question_id, 'bm25' AS arm, bm25 AS rank, chunk_id FROM fused WHERE bm25 IS NOT NULL
    UNION ALL
    SELECT question_id, 'dense', dense, chunk_id FROM fused WHERE dense IS NOT NULL
    UNION ALL
    SELECT question_id, 'fusion', row_number() OVER (PARTITION BY question_id ORDER BY score DESC, chunk_id), chunk_id
    FROM fused
    WHERE score > 0
)
SELECT a.question_id, a.arm, a.rank::INTEGER AS rank, a.chunk_id, d.source
FROM arm AS a
JOIN chunk AS c ON c.chunk_id = a.chunk_id
JOIN document AS d ON d.document_id = c.document_id
WHERE a.rank <= $ranking_limit::INTEGER
ORDER BY a.question_id, a.arm, a.rank
