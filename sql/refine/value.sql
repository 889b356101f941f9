-- name: refine.value
-- doc: What each answer has for look-up 0: its texts in order, and the one that it is ordered by. A text is ordered by its
--   place in the alphabet.
-- params: descending BOOLEAN
-- returns: question_id INTEGER, node_id INTEGER, unit INTEGER, texts VARCHAR[], measure DOUBLE
-- order: none
WITH told AS (
    SELECT DISTINCT p.question_id, p.node_id, p.unit, v.text,
           CASE WHEN v.type IN ('number', 'date') THEN v.low
                ELSE dense_rank() OVER (PARTITION BY p.question_id ORDER BY lower(v.text)) END AS measure
    FROM passed AS p
    JOIN attribute AS v
      ON v.question_id = p.question_id AND v.node_id = p.node_id AND (v.edge_id IS NULL OR v.edge_id = p.edge_id)
    WHERE v.number = 0 AND p.stands
)
SELECT question_id, node_id, unit,
       list(text ORDER BY CASE WHEN $descending::BOOLEAN THEN -measure ELSE measure END NULLS LAST, text) AS texts,
       CASE WHEN $descending::BOOLEAN THEN max(measure) ELSE min(measure) END AS measure
FROM told
GROUP BY question_id, node_id, unit
