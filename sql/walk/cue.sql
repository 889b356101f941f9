-- name: walk.cue
-- doc: ctx: share of the question's words that stand beside a mention, before it in full, after it by half; the
--   relation without a relation extractor.
-- params: max_depth INTEGER
-- returns: question_id INTEGER, chunk_id INTEGER, node_id INTEGER, score DOUBLE
-- order: question_id, chunk_id, node_id
WITH beside AS (
    SELECT w.question_id, m.chunk_id, m.node_id, m.sentence_id, w.term_no,
           max(CASE WHEN m.side = 'before' THEN 2 * w.idf ELSE w.idf END) AS twice_idf
    FROM cue_term AS w
    JOIN mention_context AS m ON m.term_id = w.term_id
    WHERE $max_depth::INTEGER > 1
       OR (w.question_id, m.chunk_id) IN (SELECT (question_id, item_id) FROM seed WHERE item_kind = 'chunk')
    GROUP BY w.question_id, m.chunk_id, m.node_id, m.sentence_id, w.term_no
), in_sentence AS (
    SELECT question_id, chunk_id, node_id, sentence_id, sum(twice_idf)::BIGINT AS twice_idf
    FROM beside
    GROUP BY question_id, chunk_id, node_id, sentence_id
)
SELECT s.question_id, s.chunk_id, s.node_id, least(1.0, 3.0 * max(s.twice_idf) / (2 * q.idf_total)) AS score
FROM in_sentence AS s
JOIN question AS q ON q.question_id = s.question_id
GROUP BY s.question_id, s.chunk_id, s.node_id, q.idf_total
ORDER BY s.question_id, s.chunk_id, s.node_id
