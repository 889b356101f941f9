-- question: stage.question
CREATE OR REPLACE TEMPORARY TABLE question AS
SELECT question_id, text, embedding::FLOAT[8] AS embedding, idf, idf_total
FROM (
    SELECT unnest($questions::STRUCT(
        question_id INTEGER, text VARCHAR, embedding FLOAT[], idf BIGINT[], idf_total BIGINT
    )[], recursive := true)
)
ORDER BY question_id;

-- question_term: seed.question_term
CREATE OR REPLACE TEMPORARY TABLE question_term AS
/*<rows>*/
SELECT question_id, term_no, stem, is_cue, term_id, idf
FROM (
    SELECT unnest($question_terms::STRUCT(
        question_id INTEGER, term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT
    )[], recursive := true)
)
ORDER BY question_id, term_no
/*</rows>*/;

-- page: seed.page
CREATE OR REPLACE TEMPORARY TABLE page AS
/*<rows>*/
SELECT question_id, group_id, chunk_id, weight, pages
FROM (
    SELECT unnest($pages::STRUCT(
        question_id INTEGER, group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT
    )[], recursive := true)
)
ORDER BY question_id, group_id, chunk_id
/*</rows>*/;

-- base: seed.base
CREATE OR REPLACE TEMPORARY TABLE base AS
/*<rows>*/
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
/*</rows>*/;

-- seed: seed.chunk_hop
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/
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
/*</rows>*/;

-- cue: walk.cue
CREATE OR REPLACE TEMPORARY TABLE cue AS
/*<rows>*/
WITH wanted AS (  -- terms that begin like a word of the question
    SELECT unnest($cue_terms::STRUCT(question_id INTEGER, term_no INTEGER, term_id INTEGER, idf BIGINT)[], recursive := true)
), beside AS (
    SELECT w.question_id, m.chunk_id, m.node_id, m.sentence_id, w.term_no,
           max(CASE WHEN m.side = 'before' THEN 2 * w.idf ELSE w.idf END) AS twice_idf
    FROM wanted AS w
    JOIN mention_context AS m ON m.term_id = w.term_id
    WHERE $max_depth::INTEGER > 1
       OR (w.question_id, m.chunk_id) IN (SELECT (question_id, item_id) FROM seed WHERE item_kind = 'chunk')
    GROUP BY w.question_id, m.chunk_id, m.node_id, m.sentence_id, w.term_no
), in_sentence AS (
    SELECT question_id, chunk_id, node_id, sentence_id, sum(twice_idf)::BIGINT AS twice_idf
    FROM beside
    GROUP BY question_id, chunk_id, node_id, sentence_id
)
SELECT s.question_id, s.chunk_id, s.node_id, least(1.0, 3.0 * max(s.twice_idf) / (2 * q.idf_total)) AS score
FROM in_sentence AS s
JOIN question AS q ON q.question_id = s.question_id
GROUP BY s.question_id, s.chunk_id, s.node_id, q.idf_total
ORDER BY s.question_id, s.chunk_id, s.node_id
/*</rows>*/;

-- walk: walk.chunk_hop
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE topic AS (  -- a name the question holds is its topic, not a bridge
    SELECT unnest($topics::STRUCT(question_id INTEGER, node_id INTEGER)[], recursive := true)
), near_link AS MATERIALIZED (
    /*<near>*/
    WITH start AS (
        SELECT DISTINCT item_id AS chunk_id
        FROM seed
        WHERE item_kind = 'chunk'
    ), near AS (
        SELECT chunk_id FROM start
        UNION
        SELECT a.next_chunk_id
        FROM start AS s
        JOIN link AS a ON a.chunk_id = s.chunk_id
        UNION
        SELECT b.next_chunk_id
        FROM start AS s
        JOIN link AS a ON a.chunk_id = s.chunk_id
        JOIN link AS b ON b.chunk_id = a.next_chunk_id
        WHERE $max_depth::INTEGER > 2
        UNION
        SELECT chunk_id
        FROM chunk
        WHERE $max_depth::INTEGER > 3
    )
    SELECT l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
    FROM link AS l
    JOIN near AS n ON n.chunk_id = l.chunk_id
/*</near>*/
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           []::INTEGER[] AS nodes,
           [s.item_id] AS chunks,
           s.score AS score,
           NULL::DOUBLE AS specificity, NULL::DOUBLE AS source_weight, NULL::DOUBLE AS tau,
           NULL::DOUBLE AS cue, NULL::DOUBLE AS residual,
           coalesce(b.covered, 0) AS covered,
           'seed' AS view,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by
    FROM seed AS s
    LEFT JOIN base AS b ON b.question_id = s.question_id AND b.chunk_id = s.item_id
    WHERE s.item_kind = 'chunk'
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, nodes, chunks, score,
           specificity, source_weight, tau, cue, residual, covered, view, rank, kept, pruned_by
    FROM (
        /*<step>*/
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
/*</step>*/
    )
)
SELECT question_id::INTEGER AS question_id,
       depth,
       path_id::BIGINT AS path_id,
       parent_id,
       'chunk' AS tail_kind,
       tail_id,
       nodes,
       []::INTEGER[] AS edges,
       chunks,
       score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': source_weight, 'tau': tau, 'cue': cue, 'residual': residual} AS terms,
       view,
       rank::INTEGER AS rank,
       kept,
       pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
FROM walk
ORDER BY question_id, depth, path_id
/*</rows>*/;

-- evidence: evidence.chunk_hop
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/
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
/*</rows>*/;
