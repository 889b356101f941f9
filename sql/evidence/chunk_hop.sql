-- name: evidence.chunk_hop
-- doc: Chunks by F = B + link_gain * best link in + back_gain * best link out; first the best page of each named
--   target.
-- params: link_gain DOUBLE, back_gain DOUBLE, anchor_threshold DOUBLE, anchor_reserve INTEGER, evidence_count
--   INTEGER, ranking_limit INTEGER
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, path_id
--   BIGINT, role VARCHAR, score DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH best_in AS (  -- G: the best kept path into a chunk
    SELECT question_id, tail_id, max(score) AS score, arg_min(path_id, (-score, path_id)) AS path_id
    FROM walk
    WHERE depth > 0 AND kept
    GROUP BY question_id, tail_id
), best_out AS (  -- H: the best kept path out of it, times what it reached
    SELECT w.question_id, p.tail_id, max(w.score * greatest(0, b.score)) AS score
    FROM walk AS w
    JOIN walk AS p ON p.question_id = w.question_id AND p.path_id = w.parent_id
    JOIN base AS b ON b.question_id = w.question_id AND b.chunk_id = w.tail_id
    WHERE w.depth > 0 AND w.kept
    GROUP BY w.question_id, p.tail_id
), offered AS (  -- a link may reach a chunk that neither words nor vectors found
    SELECT question_id, chunk_id, score, title_weight
    FROM base
    UNION ALL
    SELECT i.question_id, i.tail_id, 0, 0
    FROM best_in AS i
    ANTI JOIN base AS b ON b.question_id = i.question_id AND b.chunk_id = i.tail_id
), scored AS (
    SELECT b.question_id, b.chunk_id, b.title_weight, i.path_id,
           b.score + $link_gain::DOUBLE * coalesce(i.score, 0) + $back_gain::DOUBLE * coalesce(o.score, 0) AS score,
           b.score < $link_gain::DOUBLE * coalesce(i.score, 0) AS by_link
    FROM offered AS b
    LEFT JOIN best_in AS i ON i.question_id = b.question_id AND i.tail_id = b.chunk_id
    LEFT JOIN best_out AS o ON o.question_id = b.question_id AND o.tail_id = b.chunk_id
), best_page AS (  -- the best page of each named target, in the question's order
    SELECT p.question_id, p.group_id, p.chunk_id
    FROM page AS p
    JOIN base AS b ON b.question_id = p.question_id AND b.chunk_id = p.chunk_id
    WHERE p.weight >= $anchor_threshold::DOUBLE
    QUALIFY row_number() OVER (PARTITION BY p.question_id, p.group_id ORDER BY b.plain_score DESC, b.chunk_id) = 1
), reserved AS (
    SELECT question_id, chunk_id
    FROM best_page
    GROUP BY question_id, chunk_id
    QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY min(group_id)) <= $anchor_reserve::INTEGER
), ranked AS (
    SELECT s.question_id, s.chunk_id, s.score, s.path_id,
           CASE WHEN r.chunk_id IS NOT NULL AND s.title_weight >= $anchor_threshold::DOUBLE THEN 'anchor'
                WHEN s.by_link THEN 'link' ELSE 'seed' END AS role,
           row_number() OVER (
               PARTITION BY s.question_id
               ORDER BY r.chunk_id IS NULL OR s.title_weight < $anchor_threshold::DOUBLE, s.score DESC, s.chunk_id
           ) AS rank
    FROM scored AS s
    LEFT JOIN reserved AS r ON r.question_id = s.question_id AND r.chunk_id = s.chunk_id
    WHERE s.score > 0
)
SELECT question_id,
       rank::INTEGER AS rank,
       'chunk' AS unit_kind,
       chunk_id AS unit_id,
       chunk_id,
       path_id,
       role,
       score,
       rank <= $evidence_count::INTEGER AS kept,
       CASE WHEN rank > $evidence_count::INTEGER THEN 'evidence_count' END AS pruned_by
FROM ranked
WHERE rank <= greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)
ORDER BY question_id, rank
