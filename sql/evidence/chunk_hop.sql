-- name: evidence.chunk_hop
-- doc: Chunks by F = B + link_gain * best link in + back_gain * best link out; first the best page of each named
--   target.
-- params: link_gain DOUBLE, back_gain DOUBLE, anchor_threshold DOUBLE, anchor_reserve INTEGER, evidence_count
--   INTEGER, ranking_limit INTEGER
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH hop AS (  -- a kept link into a chunk counts for it, and, by what it reached, for the chunk it came from
    SELECT w.question_id, w.path_id, w.tail_id, w.chunks[array_length(w.chunks) - 1] AS from_id, w.score,
           w.score * greatest(0, b.score) AS reached
    FROM walk AS w
    LEFT JOIN base AS b ON b.question_id = w.question_id AND b.chunk_id = w.tail_id
    WHERE w.depth > 0 AND w.kept
), linked AS (  -- G: the best link in; H: the best link out
    SELECT question_id, chunk_id, max(gain) AS gain_in, max(reached) AS gain_out,
           arg_min(path_id, (-gain, path_id)) FILTER (gain IS NOT NULL) AS path_id
    FROM (
        SELECT question_id, tail_id AS chunk_id, path_id, score AS gain, NULL AS reached FROM hop
        UNION ALL
        SELECT question_id, from_id, path_id, NULL, reached FROM hop
    )
    GROUP BY question_id, chunk_id
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
), scored AS (  -- a link may reach a chunk that neither words nor vectors found
    SELECT coalesce(b.question_id, l.question_id) AS question_id,
           coalesce(b.chunk_id, l.chunk_id) AS chunk_id,
           b.cosine, l.path_id,
           r.chunk_id IS NOT NULL AND b.title_weight >= $anchor_threshold::DOUBLE AS reserved,
           coalesce(b.score, 0) + $link_gain::DOUBLE * coalesce(l.gain_in, 0) + $back_gain::DOUBLE * coalesce(l.gain_out, 0)
               AS score,
           coalesce(b.score, 0) < $link_gain::DOUBLE * coalesce(l.gain_in, 0) AS by_link
    FROM base AS b
    FULL JOIN linked AS l ON l.question_id = b.question_id AND l.chunk_id = b.chunk_id
    LEFT JOIN reserved AS r ON r.question_id = b.question_id AND r.chunk_id = b.chunk_id
    -- nothing but links and reservation can pass the best by base score
    WHERE b.place <= greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)
       OR l.chunk_id IS NOT NULL OR r.chunk_id IS NOT NULL
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
