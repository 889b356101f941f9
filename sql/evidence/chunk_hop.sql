-- name: evidence.chunk_hop
-- doc: Chunks by F = B + link_gain * best link in + back_gain * best link out; first the best page of each named
--   target.
-- params: link_gain DOUBLE, back_gain DOUBLE, anchor_threshold DOUBLE, anchor_reserve INTEGER, evidence_count
--   INTEGER, ranking_limit INTEGER
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH link_in AS (  -- G: the best kept path into a chunk; chunk_hop keeps one a depth
    SELECT question_id, tail_id AS chunk_id, max(score) AS gain, arg_min(path_id, (-score, path_id)) AS path_id
    FROM walk
    WHERE depth > 0 AND kept
    GROUP BY question_id, tail_id
), link_out AS (  -- H: the best kept path out of it, times what it reached
    SELECT w.question_id, p.tail_id AS chunk_id, max(w.score * greatest(0, b.score)) AS gain
    FROM walk AS w
    JOIN walk AS p ON p.question_id = w.question_id AND p.path_id = w.parent_id
    JOIN base AS b ON b.question_id = w.question_id AND b.chunk_id = w.tail_id
    WHERE w.depth > 0 AND w.kept
    GROUP BY w.question_id, p.tail_id
), best_page AS (  -- the best page of each named target, in the question's order
    SELECT p.question_id, p.group_id, arg_min(p.chunk_id, (-b.plain_score, p.chunk_id)) AS chunk_id
    FROM page AS p
    JOIN base AS b ON b.question_id = p.question_id AND b.chunk_id = p.chunk_id
    WHERE p.weight >= $anchor_threshold::DOUBLE
    GROUP BY p.question_id, p.group_id
), reserved AS (
    SELECT question_id, chunk_id
    FROM best_page
    GROUP BY question_id, chunk_id
    QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY min(group_id)) <= $anchor_reserve::INTEGER
), offered AS (  -- a link may reach a chunk that neither words nor vectors found
    SELECT question_id, chunk_id, place, score, title_weight, cosine
    FROM base
    UNION ALL
    SELECT i.question_id, i.chunk_id, NULL, 0, 0, NULL
    FROM link_in AS i
    ANTI JOIN base AS b ON b.question_id = i.question_id AND b.chunk_id = i.chunk_id
), scored AS (  -- nothing but links and reservation can pass the best by base score
    SELECT b.question_id, b.chunk_id, b.cosine, i.path_id,
           r.chunk_id IS NOT NULL AND b.title_weight >= $anchor_threshold::DOUBLE AS reserved,
           b.score + $link_gain::DOUBLE * coalesce(i.gain, 0) + $back_gain::DOUBLE * coalesce(o.gain, 0) AS score,
           b.score < $link_gain::DOUBLE * coalesce(i.gain, 0) AS by_link
    FROM offered AS b
    LEFT JOIN link_in AS i ON i.question_id = b.question_id AND i.chunk_id = b.chunk_id
    LEFT JOIN link_out AS o ON o.question_id = b.question_id AND o.chunk_id = b.chunk_id
    LEFT JOIN reserved AS r ON r.question_id = b.question_id AND r.chunk_id = b.chunk_id
    WHERE b.place <= greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)
       OR i.chunk_id IS NOT NULL OR o.chunk_id IS NOT NULL OR r.chunk_id IS NOT NULL
), ranked AS (
    SELECT question_id, chunk_id, path_id, reserved, by_link, cosine, score,
           row_number() OVER (PARTITION BY question_id ORDER BY NOT reserved, score DESC, chunk_id) AS rank
    FROM scored
    WHERE score > 0
)
SELECT r.question_id,
       r.rank::INTEGER AS rank,
       'chunk' AS unit_kind,
       r.chunk_id AS unit_id,
       r.chunk_id,
       d.source,
       r.path_id,
       CASE WHEN r.reserved THEN 'anchor' WHEN r.by_link THEN 'link' ELSE 'seed' END AS role,
       r.score,
       r.cosine,
       r.rank <= $evidence_count::INTEGER AS kept,
       CASE WHEN r.rank > $evidence_count::INTEGER THEN 'evidence_count' END AS pruned_by
FROM ranked AS r
LEFT JOIN chunk AS c ON c.chunk_id = r.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
WHERE r.rank <= greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)
ORDER BY r.question_id, r.rank
