-- name: walk.chunk_hop_step
-- doc: One depth of chunk_hop: links of the kept chunks, scored; per name the `beam_width` best body links, per
--   chunk the best path.
-- params: decay DOUBLE, max_depth INTEGER, seed_limit INTEGER, beam_width INTEGER, residual_weight DOUBLE, keep_pruned
--   BOOLEAN
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_id INTEGER, nodes INTEGER[],
--   chunks INTEGER[], score DOUBLE, terms STRUCT(source_weight DOUBLE, specificity DOUBLE, tau DOUBLE, cue DOUBLE,
--   residual DOUBLE), covered BIGINT, view VARCHAR, rank BIGINT, kept BOOLEAN, pruned_by VARCHAR
-- order: none
WITH candidate AS (
    SELECT w.question_id, w.depth, w.path_id AS parent_id, w.tail_id, w.nodes, w.chunks,
           l.node_id, l.next_chunk_id, l.is_title, w.covered | l.covered AS covered,
           {-- a: the seed's weight; from the second hop on 0.7 x the weight of the path so far
            'source_weight': w.score * CASE WHEN w.depth = 0 THEN 1.0 ELSE $decay::DOUBLE END,
            'specificity': l.specificity, 'tau': l.tau, 'cue': l.cue,
            -- res: question words that the next chunk has and the path has not
            'residual': $residual_weight::DOUBLE * list_sum(list_transform(
                l.idf, lambda x, i: x * (((l.covered & ~w.covered) >> (i - 1)::BIGINT) & 1)
            )) / l.idf_total} AS terms,
           -- of one name's body links in order of prior: is there one of the same name `beam_width` rows above?
           NOT l.is_title AND coalesce(lag((w.path_id, l.node_id, l.is_title), $beam_width::INTEGER) OVER (
               PARTITION BY w.question_id ORDER BY w.path_id, l.node_id, l.is_title, l.prior DESC, l.next_chunk_id
           ) = (w.path_id, l.node_id, l.is_title), false) AS over_width
    FROM walk AS w
    JOIN near_link AS l ON l.question_id = w.question_id AND l.chunk_id = w.tail_id
    WHERE w.kept AND w.depth < $max_depth::INTEGER
      AND (w.depth = 0 OR w.rank <= $seed_limit::INTEGER)  -- later rounds start from the best paths only
      AND NOT list_contains(w.chunks, l.next_chunk_id)
), scored AS (
    SELECT *, terms.source_weight * terms.specificity * (terms.tau + terms.cue + terms.residual) AS score
    FROM candidate
    WHERE NOT over_width OR $keep_pruned::BOOLEAN
), ranked AS (
    SELECT *,
           lag((next_chunk_id, over_width)) OVER (
               PARTITION BY question_id ORDER BY next_chunk_id, over_width, score DESC, tail_id, node_id
           ) IS DISTINCT FROM (next_chunk_id, over_width) AS is_best,  -- of the paths into a chunk
           row_number() OVER (
               PARTITION BY question_id ORDER BY over_width, score DESC, tail_id, node_id, next_chunk_id
           ) AS rank
    FROM scored
)
SELECT question_id,
       depth + 1 AS depth,
       (depth + 1) * 1000000 + rank AS path_id,
       parent_id,
       next_chunk_id AS tail_id,
       list_append(nodes, node_id) AS nodes,
       list_append(chunks, next_chunk_id) AS chunks,
       score,
       terms,
       covered,
       CASE WHEN is_title THEN 'title' ELSE 'body' END AS view,
       rank,
       is_best AND NOT over_width AS kept,
       CASE WHEN over_width THEN 'beam_width' WHEN NOT is_best THEN 'better_path' END AS pruned_by
FROM ranked
WHERE (is_best AND NOT over_width) OR $keep_pruned::BOOLEAN
