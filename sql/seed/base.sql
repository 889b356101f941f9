-- name: seed.base
-- doc: The score of every chunk that any arm finds (BM25, cosine, title named in the question), and its place by
--   it: prior of seeds and of what links reach.
-- params: bm25_share DOUBLE, title_boost DOUBLE, anchor_threshold DOUBLE
-- slots: cosine
-- returns: question_id INTEGER, chunk_id INTEGER, group_id INTEGER, place BIGINT, score DOUBLE, share_of_best DOUBLE,
--   plain_score DOUBLE, lexical DOUBLE, cosine DOUBLE, title_weight DOUBLE, covered BIGINT
-- order: none
WITH lexical AS (
    SELECT q.question_id, p.chunk_id, sum(p.weight)::BIGINT AS weight, bit_or(1::BIGINT << q.term_no) AS covered
    FROM question_term AS q
    JOIN posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.chunk_id
), best AS (
    SELECT q.question_id, max(l.weight) AS weight,
           -- F0: without vectors BM25 alone decides
           CASE WHEN any_value(q.embedding) IS NULL THEN 1.0 ELSE $bm25_share::DOUBLE END AS share
    FROM question AS q
    LEFT JOIN lexical AS l ON l.question_id = q.question_id
    GROUP BY q.question_id
), dense AS (
    /*<cosine>*/
    SELECT q.question_id, c.chunk_id,
           CASE WHEN c.embedding IS NOT NULL AND q.embedding IS NOT NULL  -- least(1, NULL) would be 1
                THEN least(1.0, array_inner_product(c.embedding, q.embedding) / 16000000.0::DOUBLE) END AS cosine
    FROM question AS q
    CROSS JOIN chunk AS c
    /*</cosine>*/
), named AS (  -- mw: the surer the name and the fewer its pages, the heavier
    SELECT question_id, chunk_id, max(weight / sqrt(pages)) AS title_weight, min(group_id) AS group_id
    FROM page
    GROUP BY question_id, chunk_id
), arm AS (
    SELECT d.question_id, d.chunk_id, n.group_id,
           coalesce(l.weight / b.weight, 0) AS lexical,
           d.cosine,
           coalesce(n.title_weight, 0) AS title_weight,
           coalesce(l.covered, 0) AS covered,
           b.share * coalesce(l.weight / b.weight, 0) + (1 - b.share) * coalesce(d.cosine, 0) AS f0
    FROM dense AS d
    JOIN best AS b ON b.question_id = d.question_id
    LEFT JOIN lexical AS l ON l.question_id = d.question_id AND l.chunk_id = d.chunk_id
    LEFT JOIN named AS n ON n.question_id = d.question_id AND n.chunk_id = d.chunk_id
    WHERE d.cosine IS NOT NULL OR l.chunk_id IS NOT NULL OR n.chunk_id IS NOT NULL
), boosted AS (
    SELECT question_id, chunk_id, group_id, lexical, cosine, title_weight, covered,
           f0 + $title_boost::DOUBLE * title_weight * greatest(0, max(f0) OVER (PARTITION BY question_id)) AS f1
    FROM arm
), plain AS (
    SELECT question_id, chunk_id, group_id, lexical, cosine, title_weight, covered,
           -- where even the best is below zero, none is like the question
           coalesce(f1 / nullif(greatest(0, max(f1) OVER (PARTITION BY question_id)), 0), 0) AS plain_score
    FROM boosted
), scored AS (
    SELECT question_id, chunk_id, group_id,
           -- an anchor stands as high as its name is sure
           CASE WHEN title_weight >= $anchor_threshold::DOUBLE
                THEN greatest(plain_score, least(1.0, title_weight / 0.6))
                ELSE plain_score END AS score,
           plain_score, lexical, cosine, title_weight, covered
    FROM plain
)
SELECT question_id,
       chunk_id,
       group_id,
       row_number() OVER (PARTITION BY question_id ORDER BY score DESC, chunk_id) AS place,
       score,
       score / nullif(max(score) OVER (PARTITION BY question_id), 0) AS share_of_best,
       plain_score,
       lexical,
       cosine,
       title_weight,
       covered
FROM scored
