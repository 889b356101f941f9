-- name: seed.base
-- doc: The score of every chunk that any arm finds (BM25, cosine, title named in the question): prior of seeds
--   and of what links reach.
-- params: bm25_share DOUBLE, title_boost DOUBLE, anchor_threshold DOUBLE
-- slots: cosine
-- returns: question_id INTEGER, chunk_id INTEGER, score DOUBLE, plain_score DOUBLE, lexical DOUBLE, cosine
--   DOUBLE, title_weight DOUBLE, covered BIGINT
-- order: question_id, chunk_id
WITH lexical AS (
    SELECT q.question_id, p.chunk_id, sum(p.weight)::BIGINT AS weight, bit_or(1::BIGINT << q.term_no) AS covered
    FROM question_term AS q
    JOIN posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.chunk_id
), dense AS (
    /*<cosine>*/
    SELECT q.question_id, c.chunk_id,
           least(1.0, array_inner_product(c.embedding, q.embedding) / 16000000.0::DOUBLE) AS cosine
    FROM question AS q
    CROSS JOIN chunk AS c
    WHERE c.embedding IS NOT NULL AND q.embedding IS NOT NULL
    /*</cosine>*/
), named AS (  -- mw: the surer the name and the fewer its pages, the heavier
    SELECT question_id, chunk_id, max(weight / sqrt(pages)) AS title_weight
    FROM page
    GROUP BY question_id, chunk_id
), found AS (
    SELECT question_id, chunk_id, max(weight) AS weight, max(covered) AS covered, max(cosine) AS cosine,
           max(title_weight) AS title_weight
    FROM (
        SELECT question_id, chunk_id, weight, covered, NULL::DOUBLE AS cosine, NULL::DOUBLE AS title_weight FROM lexical
        UNION ALL
        SELECT question_id, chunk_id, NULL, NULL, cosine, NULL FROM dense
        UNION ALL
        SELECT question_id, chunk_id, NULL, NULL, NULL, title_weight FROM named
    )
    GROUP BY question_id, chunk_id
), arm AS (
    SELECT f.question_id,
           f.chunk_id,
           coalesce(f.weight / max(f.weight) OVER (PARTITION BY f.question_id), 0) AS lexical,
           f.cosine,
           coalesce(f.title_weight, 0) AS title_weight,
           coalesce(f.covered, 0) AS covered,
           -- F0: without vectors BM25 alone decides
           CASE WHEN q.embedding IS NULL THEN 1.0 ELSE $bm25_share::DOUBLE END AS share
    FROM found AS f
    JOIN question AS q ON q.question_id = f.question_id
), boosted AS (
    SELECT question_id, chunk_id, lexical, cosine, title_weight, covered, f0,
           f0 + $title_boost::DOUBLE * title_weight * greatest(0, max(f0) OVER (PARTITION BY question_id)) AS f1
    FROM (SELECT *, share * lexical + (1 - share) * coalesce(cosine, 0) AS f0 FROM arm)
), plain AS (
    SELECT question_id, chunk_id, lexical, cosine, title_weight, covered,
           -- where even the best is below zero, none is like the question
           f1 / nullif(greatest(0, max(f1) OVER (PARTITION BY question_id)), 0) AS plain_score
    FROM boosted
)
SELECT question_id,
       chunk_id,
       -- an anchor stands as high as its name is sure
       CASE WHEN title_weight >= $anchor_threshold::DOUBLE
            THEN greatest(coalesce(plain_score, 0), least(1.0, title_weight / 0.6))
            ELSE coalesce(plain_score, 0) END AS score,
       coalesce(plain_score, 0) AS plain_score,
       lexical,
       cosine,
       title_weight,
       covered
FROM plain
ORDER BY question_id, chunk_id
