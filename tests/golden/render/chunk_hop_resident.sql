-- question: stage.question
CREATE OR REPLACE TEMPORARY TABLE question AS
SELECT unnest($questions::STRUCT(
    question_id INTEGER, text VARCHAR, embedding FLOAT[8], idf BIGINT[], idf_total BIGINT,
    terms STRUCT(term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT)[],
    cues STRUCT(term_no INTEGER, term_id INTEGER, idf BIGINT)[],
    targets STRUCT(group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER)[],
    pages STRUCT(group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[],
    topics INTEGER[],
    transitions STRUCT(
        state INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, next_state INTEGER, accepts BOOLEAN
    )[],
    arms STRUCT(arm INTEGER, group_id INTEGER, node_id INTEGER, state INTEGER, last_state INTEGER)[]
)[], recursive := true);

-- question_term: stage.question_term
CREATE OR REPLACE TEMPORARY VIEW question_term AS
SELECT question_id, unnest(terms, recursive := true)
FROM question;

-- cue_term: stage.cue_term
CREATE OR REPLACE TEMPORARY VIEW cue_term AS
SELECT question_id, unnest(cues, recursive := true)
FROM question;

-- target: stage.target
CREATE OR REPLACE TEMPORARY VIEW target AS
SELECT question_id, unnest(targets, recursive := true)
FROM question;

-- page: stage.page
CREATE OR REPLACE TEMPORARY VIEW page AS
SELECT question_id, unnest(pages, recursive := true)
FROM question;

-- arm: stage.arm
CREATE OR REPLACE TEMPORARY VIEW arm AS
SELECT question_id, unnest(arms, recursive := true)
FROM question;

-- base: seed.base_resident
CREATE OR REPLACE TEMPORARY TABLE base AS
/*<rows>*/
SELECT question_id,
       unnest(chunk_scores(
           embedding, terms, pages,
           {'bm25_share': $bm25_share::DOUBLE, 'title_boost': $title_boost::DOUBLE,
            'anchor_threshold': $anchor_threshold::DOUBLE, 'hops': $base_hops::INTEGER,
            'seed_limit': $seed_limit::INTEGER,
            'ranked': greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)}
       ), recursive := true)
FROM question
/*</rows>*/;

-- seed: seed.chunk_hop
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/
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
/*</rows>*/;

-- cue: walk.cue
CREATE OR REPLACE TEMPORARY TABLE cue AS
/*<rows>*/
WITH beside AS (
    SELECT w.question_id, m.chunk_id, m.node_id, m.sentence_id, w.term_no,
           max(CASE WHEN m.side = 'before' THEN 2 * w.idf ELSE w.idf END) AS twice_idf
    FROM cue_term AS w
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
WITH RECURSIVE near_link AS MATERIALIZED (  -- what does not depend on the path is joined once, before the recursion
    SELECT n.question_id, n.chunk_id, n.node_id, n.next_chunk_id, n.is_title,
           n.specificity / 65536.0::DOUBLE AS specificity,
           CASE WHEN n.is_title
                THEN $body_weight::DOUBLE + (1 - $body_weight::DOUBLE) * n.title_share / 65536.0::DOUBLE
                ELSE $body_weight::DOUBLE END AS tau,
           $cue_weight::DOUBLE * coalesce(u.score, 0) AS cue,
           coalesce(b.score, 0) AS prior,
           coalesce(b.covered, 0) AS covered,
           q.idf, q.idf_total
    FROM (
        /*<near>*/
        SELECT s.question_id, l.chunk_id, l.node_id, l.next_chunk_id, l.is_title, l.specificity, l.title_share
        FROM seed AS s
        JOIN link AS l ON l.chunk_id = s.item_id
        WHERE s.item_kind = 'chunk'
/*</near>*/
    ) AS n
    JOIN question AS q ON q.question_id = n.question_id
     AND NOT list_contains(q.topics, n.node_id)  -- what the question is about is no bridge
    LEFT JOIN base AS b ON b.question_id = n.question_id AND b.chunk_id = n.next_chunk_id
    LEFT JOIN cue AS u ON u.question_id = n.question_id AND u.chunk_id = n.chunk_id AND u.node_id = n.node_id
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           []::INTEGER[] AS nodes,
           [s.item_id] AS chunks,
           s.score AS score,
           NULL::STRUCT(
               source_weight DOUBLE, specificity DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE
           ) AS terms,
           coalesce(b.covered, 0) AS covered,
           'seed' AS view,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by
    FROM seed AS s
    LEFT JOIN base AS b ON b.question_id = s.question_id AND b.chunk_id = s.item_id
    WHERE s.item_kind = 'chunk'
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, nodes, chunks, score, terms, covered, view, rank, kept, pruned_by
    FROM (
        /*<step>*/
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
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': terms.specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': terms.source_weight, 'tau': terms.tau, 'cue': terms.cue, 'residual': terms.residual} AS terms,
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
/*</rows>*/;
