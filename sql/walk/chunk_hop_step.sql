-- name: walk.chunk_hop_step
-- doc: One depth of chunk_hop: links of the kept chunks, scored; per name the `beam_width` best body links, per
--   chunk the best path.
-- params: decay DOUBLE, body_weight DOUBLE, max_depth INTEGER, seed_limit INTEGER, beam_width INTEGER, cue_weight DOUBLE,
--   residual_weight DOUBLE, keep_pruned BOOLEAN
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_id INTEGER, nodes
--   INTEGER[], chunks INTEGER[], score DOUBLE, specificity DOUBLE, source_weight DOUBLE, tau DOUBLE, cue DOUBLE,
--   residual DOUBLE, covered BIGINT, view VARCHAR, rank BIGINT, kept BOOLEAN, pruned_by VARCHAR
-- order: none
WITH candidate AS (
    SELECT w.question_id, w.path_id AS parent_id, l.node_id, l.next_chunk_id, l.is_title, l.title_share, l.specificity,
           b.score AS prior, coalesce(b.covered, 0) AS covered
    FROM walk AS w
    JOIN near_link AS l ON l.chunk_id = w.tail_id
    LEFT JOIN base AS b ON b.question_id = w.question_id AND b.chunk_id = l.next_chunk_id
    ANTI JOIN topic AS t ON t.question_id = w.question_id AND t.node_id = l.node_id
    WHERE w.kept AND w.depth < $max_depth::INTEGER
      AND (w.depth = 0 OR w.rank <= $seed_limit::INTEGER)  -- later rounds start from the best paths only
      AND NOT list_contains(w.chunks, l.next_chunk_id)
), crowded AS (
    SELECT *,
           NOT is_title AND row_number() OVER (
               PARTITION BY question_id, parent_id, node_id, is_title ORDER BY coalesce(prior, 0) DESC, next_chunk_id
           ) > $beam_width::INTEGER AS over_width
    FROM candidate
), featured AS (
    SELECT c.question_id, c.parent_id, c.node_id, c.next_chunk_id, c.is_title, c.over_width,
           w.depth + 1 AS depth, w.tail_id, w.nodes, w.chunks, w.covered | c.covered AS covered,
           -- a: the seed's weight; from the second hop on 0.7 x the weight of the path so far
           w.score * CASE WHEN w.depth = 0 THEN 1.0 ELSE $decay::DOUBLE END AS source_weight,
           c.specificity / 65536.0::DOUBLE AS specificity,
           CASE WHEN c.is_title
                THEN $body_weight::DOUBLE + (1 - $body_weight::DOUBLE) * c.title_share / 65536.0::DOUBLE
                ELSE $body_weight::DOUBLE END AS tau,
           $cue_weight::DOUBLE * coalesce(u.score, 0) AS cue,
           -- res: question words that the next chunk has and the path has not
           $residual_weight::DOUBLE * list_sum(list_transform(
               q.idf, lambda x, i: x * (((c.covered & ~w.covered) >> (i - 1)::BIGINT) & 1)
           )) / q.idf_total AS residual
    FROM crowded AS c
    JOIN walk AS w ON w.question_id = c.question_id AND w.path_id = c.parent_id
    JOIN question AS q ON q.question_id = c.question_id
    LEFT JOIN cue AS u ON u.question_id = c.question_id AND u.chunk_id = w.tail_id AND u.node_id = c.node_id
    WHERE NOT c.over_width OR $keep_pruned::BOOLEAN
), ranked AS (
    SELECT *,
           source_weight * specificity * (tau + cue + residual) AS score,
           row_number() OVER (PARTITION BY question_id, next_chunk_id, over_width ORDER BY score DESC, tail_id, node_id) AS turn,
           row_number() OVER (
               PARTITION BY question_id ORDER BY over_width, score DESC, tail_id, node_id, next_chunk_id
           ) AS rank
    FROM featured
)
SELECT question_id,
       depth,
       depth * 1000000 + rank AS path_id,
       parent_id,
       next_chunk_id AS tail_id,
       list_append(nodes, node_id) AS nodes,
       list_append(chunks, next_chunk_id) AS chunks,
       score,
       specificity, source_weight, tau, cue, residual,
       covered,
       CASE WHEN is_title THEN 'title' ELSE 'body' END AS view,
       rank,
       turn = 1 AND NOT over_width AS kept,
       CASE WHEN over_width THEN 'beam_width' WHEN turn > 1 THEN 'better_path' END AS pruned_by
FROM ranked
WHERE (turn = 1 AND NOT over_width) OR $keep_pruned::BOOLEAN
