-- name: seed.chunk_hop
-- doc: The best chunks by base score, and every anchor; the score is the source weight of the walk.
-- params: anchor_threshold DOUBLE, seed_exponent DOUBLE, seed_limit INTEGER
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, score DESC, item_id
SELECT question_id,
       'chunk' AS item_kind,
       chunk_id AS item_id,
       group_id,
       CASE WHEN title_weight >= $anchor_threshold::DOUBLE THEN 1.0
            ELSE power(share_of_best, $seed_exponent::DOUBLE) END AS score,
       CASE WHEN title_weight >= $anchor_threshold::DOUBLE THEN 'anchor: the question names it'
            ELSE 'best by words and vectors' END AS why
FROM base AS b
WHERE b.score > 0 AND (place <= $seed_limit::INTEGER OR title_weight >= $anchor_threshold::DOUBLE)
ORDER BY question_id, 5 DESC, item_id
