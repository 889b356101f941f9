-- name: seed.chunk_hop
-- doc: The best chunks by base score, and every anchor; the score is the source weight of the walk.
-- params: anchor_threshold DOUBLE, seed_exponent DOUBLE, seed_limit INTEGER
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, score DESC, item_id
WITH ranked AS (
    SELECT b.question_id, b.chunk_id, b.score, b.title_weight,
           b.title_weight >= $anchor_threshold::DOUBLE AS is_anchor,
           row_number() OVER (PARTITION BY b.question_id ORDER BY b.score DESC, b.chunk_id) AS place,
           max(b.score) OVER (PARTITION BY b.question_id) AS best
    FROM base AS b
    WHERE b.score > 0
), named AS (
    SELECT question_id, chunk_id, min(group_id) AS group_id
    FROM page
    GROUP BY question_id, chunk_id
)
SELECT r.question_id,
       'chunk' AS item_kind,
       r.chunk_id AS item_id,
       n.group_id,
       CASE WHEN r.is_anchor THEN 1.0 ELSE power(r.score / r.best, $seed_exponent::DOUBLE) END AS score,
       CASE WHEN r.is_anchor THEN 'anchor: the question names it' ELSE 'best by words and vectors' END AS why
FROM ranked AS r
LEFT JOIN named AS n ON n.question_id = r.question_id AND n.chunk_id = r.chunk_id
WHERE r.place <= $seed_limit::INTEGER OR r.is_anchor
ORDER BY r.question_id, score DESC, item_id
