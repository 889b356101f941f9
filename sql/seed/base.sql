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
), page AS (  -- mw: the surer the name and the fewer its pages, the heavier
    SELECT question_id, chunk_id, max(weight / sqrt(pages)) AS title_weight
    FROM (
        SELECT t.question_id, a.chunk_id, t.weight, count(*) OVER (PARTITION BY t.question_id, t.group_id) AS pages
        FROM (SELECT DISTINCT question_id, group_id, alias_key, weight FROM target) AS t
        JOIN (SELECT DISTINCT alias_key, chunk_id FROM alias WHERE is_title) AS a ON a.alias_key = t.alias_key
    )
    GROUP BY question_id, chunk_id
), found AS (
    SELECT question_id, chunk_id FROM lexical
    UNION
    SELECT question_id, chunk_id FROM dense
    UNION
    SELECT question_id, chunk_id FROM page
), arm AS (
    SELECT f.question_id,
           f.chunk_id,
           coalesce(l.weight / max(l.weight) OVER (PARTITION BY f.question_id), 0) AS lexical,
           d.cosine,
           coalesce(p.title_weight, 0) AS title_weight,
           coalesce(l.covered, 0) AS covered,
           -- F0: without vectors BM25 alone decides
           CASE WHEN q.embedding IS NULL THEN 1.0 ELSE $bm25_share::DOUBLE END AS share
    FROM found AS f
    JOIN question AS q ON q.question_id = f.question_id
    LEFT JOIN lexical AS l ON l.question_id = f.question_id AND l.chunk_id = f.chunk_id
    LEFT JOIN dense AS d ON d.question_id = f.question_id AND d.chunk_id = f.chunk_id
    LEFT JOIN page AS p ON p.question_id = f.question_id AND p.chunk_id = f.chunk_id
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
