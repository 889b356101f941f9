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

-- base: seed.base
CREATE OR REPLACE TEMPORARY TABLE base AS
/*<rows>*/
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
/*</rows>*/;

-- query: stage.query
CREATE OR REPLACE TEMPORARY TABLE query AS
SELECT unnest($queries::STRUCT(
    question_id INTEGER, role VARCHAR, query_no INTEGER, group_id INTEGER, text VARCHAR, embedding FLOAT[8],
    terms STRUCT(term_id INTEGER, idf BIGINT)[], idf_total BIGINT
)[], recursive := true);

-- name_score: walk.name_score
CREATE OR REPLACE TEMPORARY TABLE name_score AS
/*<rows>*/
SELECT question_id, node_id, weight / max(weight) OVER (PARTITION BY question_id) AS share
FROM (
    SELECT q.question_id, p.node_id, sum(p.weight)::BIGINT AS weight
    FROM question_term AS q
    JOIN name_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.node_id
)
ORDER BY question_id, node_id
/*</rows>*/;

-- node_score: walk.node_score_resident
CREATE OR REPLACE TEMPORARY TABLE node_score AS
/*<rows>*/
WITH sought AS (  -- named targets come before other seeds, unless each target has places of its own
    SELECT question_id,
           CASE WHEN $seed_query_mode::VARCHAR = 'per_target'
                  OR array_length(list_distinct(list_transform(targets, lambda t: t.node_id))) < $seed_limit::INTEGER
                THEN embedding::FLOAT[] END AS embedding
    FROM question
), met AS (
    SELECT question_id, node_id FROM target
    UNION
    SELECT question_id, unnest(nearest_nodes(embedding, 40)) FROM sought
    UNION
    SELECT question_id, node_id
    FROM (
        SELECT question_id, node_id
        FROM name_score
        WHERE stands_by_name(node_id)
        QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY share DESC, node_id) <= 40
    )
), met_score AS (
    /*<met_score>*/
    SELECT q.question_id,
           unnest(node_scores(
               q.embedding::FLOAT[],
               list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
               a.asked
           ), recursive := true)
    FROM question AS q
    JOIN (
        SELECT m.question_id, list({'node_id': m.node_id, 'share': n.share}) AS asked
        FROM met AS m
        LEFT JOIN name_score AS n ON n.question_id = m.question_id AND n.node_id = m.node_id
        GROUP BY m.question_id
    ) AS a ON a.question_id = q.question_id
/*</met_score>*/
)
SELECT question_id, node_id, similarity, relevance, specificity, hub_exposure, question_like, is_target, targets
FROM met_score
ORDER BY question_id, node_id
/*</rows>*/;

-- relation_score: walk.relation_score
CREATE OR REPLACE TEMPORARY TABLE relation_score AS
/*<rows>*/
WITH overlap AS (
    SELECT q.question_id, r.relation_id, sum(q.idf)::BIGINT AS idf
    FROM relation AS r
    JOIN question_term AS q ON contains(' ' || replace(lower(r.relation), '_', ' ') || ' ', ' ' || q.stem)
    GROUP BY q.question_id, r.relation_id
), total AS (
    SELECT question_id, greatest(1, sum(idf))::BIGINT AS idf
    FROM question_term
    GROUP BY question_id
), facet AS (
    SELECT f.question_id, r.relation_id, bit_or(1::BIGINT << f.query_no) AS facets
    FROM query AS f
    CROSS JOIN relation AS r
    WHERE f.role = 'facet'
      AND CASE WHEN r.embedding IS NOT NULL AND f.embedding IS NOT NULL
               THEN list_inner_product(r.embedding, f.embedding) END / 16000000.0::DOUBLE >= 0.45
    GROUP BY f.question_id, r.relation_id
)
SELECT q.question_id,
       r.relation_id,
       CASE WHEN r.embedding IS NULL OR q.embedding IS NULL THEN coalesce(o.idf / t.idf, 0)
            ELSE greatest(0, least(1, list_inner_product(r.embedding, q.embedding) / 16000000.0::DOUBLE))
            END::DOUBLE AS similarity,
       coalesce(f.facets, 0) AS facets
FROM question AS q
CROSS JOIN relation AS r
LEFT JOIN total AS t ON t.question_id = q.question_id
LEFT JOIN overlap AS o ON o.question_id = q.question_id AND o.relation_id = r.relation_id
LEFT JOIN facet AS f ON f.question_id = q.question_id AND f.relation_id = r.relation_id
ORDER BY q.question_id, r.relation_id
/*</rows>*/;

-- edge_score: walk.edge_score
CREATE OR REPLACE TEMPORARY TABLE edge_score AS
/*<rows>*/
WITH total AS (
    SELECT question_id, greatest(1, sum(idf))::BIGINT AS idf
    FROM question_term
    GROUP BY question_id
), fact AS (  -- share of the question's words in a sentence
    SELECT q.question_id, p.sentence_id, sum(q.idf)::BIGINT AS idf
    FROM question_term AS q
    JOIN sentence_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.sentence_id
), said AS (
    SELECT f.question_id, e.edge_id, f.idf / t.idf::DOUBLE AS overlap
    FROM fact AS f
    JOIN total AS t ON t.question_id = f.question_id
    JOIN edge AS e ON e.fact_id = f.sentence_id
), close AS (
    SELECT q.question_id, e.edge_id,
           greatest(0, least(1, list_inner_product(e.embedding, q.embedding) / 16000000.0::DOUBLE)) AS cosine
    FROM question AS q
    CROSS JOIN edge AS e
    WHERE e.embedding IS NOT NULL AND q.embedding IS NOT NULL
), anchor_chunk AS (  -- chunks that mention a target, or are about it
    SELECT t.question_id, m.chunk_id FROM target AS t JOIN mention AS m ON m.node_id = t.node_id
    UNION
    SELECT t.question_id, p.chunk_id FROM target AS t JOIN title_page AS p ON p.node_id = t.node_id
), anchored AS (
    SELECT DISTINCT a.question_id, e.edge_id
    FROM anchor_chunk AS a
    JOIN edge_chunk AS e ON e.chunk_id = a.chunk_id
), facet_word AS (
    SELECT question_id, query_no, idf_total, unnest(terms, recursive := true)
    FROM query
    WHERE role = 'facet'
), facet_said AS (
    SELECT f.question_id, f.query_no, p.sentence_id
    FROM facet_word AS f
    JOIN sentence_posting AS p ON p.term_id = f.term_id
    GROUP BY f.question_id, f.query_no, p.sentence_id, f.idf_total
    HAVING sum(f.idf)::BIGINT >= 0.6 * f.idf_total
), facet AS (
    SELECT question_id, edge_id, bit_or(1::BIGINT << query_no) AS facets
    FROM (
        SELECT f.question_id, f.query_no, e.edge_id
        FROM facet_said AS f
        JOIN edge AS e ON e.fact_id = f.sentence_id
        UNION ALL
        SELECT f.question_id, f.query_no, e.edge_id
        FROM query AS f
        CROSS JOIN edge AS e
        WHERE f.role = 'facet' AND e.embedding IS NOT NULL
          AND CASE WHEN e.embedding IS NOT NULL AND f.embedding IS NOT NULL
                   THEN list_inner_product(e.embedding, f.embedding) END / 16000000.0::DOUBLE >= 0.45
    )
    GROUP BY question_id, edge_id
), found AS (
    SELECT question_id, edge_id FROM said
    UNION
    SELECT question_id, edge_id FROM close
    UNION
    SELECT question_id, edge_id FROM anchored
    UNION
    SELECT question_id, edge_id FROM facet
)
SELECT f.question_id,
       f.edge_id,
       coalesce(c.cosine, s.overlap)::DOUBLE AS similarity,
       coalesce(c.cosine, s.overlap)::DOUBLE AS alignment,
       a.edge_id IS NOT NULL AS anchored,
       CASE WHEN c.cosine IS NOT NULL THEN 'cosine' WHEN s.overlap IS NOT NULL THEN 'overlap' END AS form,
       coalesce(t.facets, 0) AS facets
FROM found AS f
LEFT JOIN said AS s ON s.question_id = f.question_id AND s.edge_id = f.edge_id
LEFT JOIN close AS c ON c.question_id = f.question_id AND c.edge_id = f.edge_id
LEFT JOIN anchored AS a ON a.question_id = f.question_id AND a.edge_id = f.edge_id
LEFT JOIN facet AS t ON t.question_id = f.question_id AND t.edge_id = f.edge_id
ORDER BY f.question_id, f.edge_id
/*</rows>*/;

-- seed: seed.beam
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/
WITH asked AS (
    SELECT question_id, query_no, group_id, embedding, terms, idf_total
    FROM query
    WHERE role = 'seed'
), asked_term AS (
    SELECT question_id, query_no, idf_total, unnest(terms, recursive := true)
    FROM asked
), said AS (  -- share of the query's words, by idf, in the sentence that states an edge
    SELECT f.question_id, f.query_no, e.edge_id, f.overlap
    FROM (
        SELECT t.question_id, t.query_no, p.sentence_id, sum(t.idf)::BIGINT / t.idf_total::DOUBLE AS overlap
        FROM asked_term AS t
        JOIN sentence_posting AS p ON p.term_id = t.term_id
        GROUP BY t.question_id, t.query_no, p.sentence_id, t.idf_total
    ) AS f
    JOIN edge AS e ON e.fact_id = f.sentence_id
), close AS (
    SELECT q.question_id, q.query_no, e.edge_id,
           greatest(0, least(1, list_inner_product(e.embedding, q.embedding) / 16000000.0::DOUBLE)) AS cosine
    FROM asked AS q
    CROSS JOIN edge AS e
    WHERE e.embedding IS NOT NULL AND q.embedding IS NOT NULL
), edge_hit AS (  -- s_rel: the best edge at a node
    SELECT h.question_id, h.query_no, unnest([e.source_id, e.target_id]) AS node_id, h.similarity
    FROM (
        SELECT coalesce(c.question_id, s.question_id) AS question_id, coalesce(c.query_no, s.query_no) AS query_no,
               coalesce(c.edge_id, s.edge_id) AS edge_id, coalesce(c.cosine, s.overlap) AS similarity
        FROM close AS c
        FULL JOIN said AS s ON s.question_id = c.question_id AND s.query_no = c.query_no AND s.edge_id = c.edge_id
        WHERE coalesce(c.cosine, s.overlap) >= 0.2
        QUALIFY row_number() OVER (
            PARTITION BY coalesce(c.question_id, s.question_id), coalesce(c.query_no, s.query_no)
            ORDER BY coalesce(c.cosine, s.overlap) DESC, coalesce(c.edge_id, s.edge_id)
        ) <= 40
    ) AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
), node_hit AS (  -- s_ent: the node's own name, against the question
    SELECT question_id, node_id, similarity AS score
    FROM node_score
    WHERE similarity >= 0.2
    QUALIFY is_target OR row_number() OVER (PARTITION BY question_id ORDER BY similarity DESC, node_id) <= 40
), found AS (
    SELECT question_id, query_no, node_id, max(similarity) AS s_rel
    FROM edge_hit
    GROUP BY question_id, query_no, node_id
    UNION ALL
    SELECT n.question_id, q.query_no, n.node_id, 0
    FROM node_hit AS n
    JOIN asked AS q ON q.question_id = n.question_id AND q.group_id IS NULL
    UNION ALL
    SELECT t.question_id, q.query_no, t.node_id, 0
    FROM target AS t
    JOIN asked AS q ON q.question_id = t.question_id AND coalesce(q.group_id, t.group_id) = t.group_id
), rated AS (  -- eq. 7, or eq. 6
    SELECT f.question_id, f.query_no, f.node_id, max(f.s_rel) AS s_rel, coalesce(max(n.score), 0) AS s_ent,
           CASE WHEN $selection_mode::VARCHAR = 'hybrid' THEN 0.3 * coalesce(max(n.score), 0) + 0.7 * max(f.s_rel)
                ELSE max(f.s_rel) END AS score
    FROM found AS f
    LEFT JOIN node_hit AS n ON n.question_id = f.question_id AND n.node_id = f.node_id
    GROUP BY f.question_id, f.query_no, f.node_id
), named AS (
    SELECT question_id, node_id, min(group_id) AS group_id, max(weight) AS weight
    FROM target
    GROUP BY question_id, node_id
), spelled AS (  -- a node's name, normalised
    SELECT v.node_id, min(a.alias_key) AS name_key
    FROM (SELECT DISTINCT node_id FROM rated) AS s
    JOIN node AS v ON v.node_id = s.node_id
    JOIN alias AS a ON a.node_id = v.node_id AND a.alias = v.name
    GROUP BY v.node_id
), met AS (
    SELECT DISTINCT question_id, node_id FROM rated
), met_score AS (
    /*<met_score>*/
    SELECT q.question_id,
           unnest(node_scores(
               q.embedding::FLOAT[],
               list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
               a.asked
           ), recursive := true)
    FROM question AS q
    JOIN (
        SELECT m.question_id, list({'node_id': m.node_id, 'share': n.share}) AS asked
        FROM met AS m
        LEFT JOIN name_score AS n ON n.question_id = m.question_id AND n.node_id = m.node_id
        GROUP BY m.question_id
    ) AS a ON a.question_id = q.question_id
/*</met_score>*/
), offered AS (
    SELECT s.question_id, s.query_no, s.node_id, s.score, s.s_ent, q.group_id AS asked_for, n.weight,
           -- a seed belongs to the target that names it, else to the first it stands for, else to whose query found it
           coalesce(n.group_id, bit_count((v.targets & -v.targets) - 1)::INTEGER, q.group_id) AS group_id,
           row_number() OVER (
               PARTITION BY s.question_id, s.query_no, k.name_key, CASE WHEN k.name_key IS NULL THEN s.node_id END
               ORDER BY n.weight IS NULL, n.weight DESC, s.score DESC, s.s_ent DESC, s.node_id
           ) > 1 AS is_twin
    FROM rated AS s
    JOIN asked AS q ON q.question_id = s.question_id AND q.query_no = s.query_no
    LEFT JOIN named AS n ON n.question_id = s.question_id AND n.node_id = s.node_id
    LEFT JOIN met_score AS v ON v.question_id = s.question_id AND v.node_id = s.node_id AND v.targets <> 0
    LEFT JOIN spelled AS k ON k.node_id = s.node_id
    WHERE s.score > 0 OR s.s_ent > 0 OR n.weight IS NOT NULL
), placed AS (
    SELECT *,
           row_number() OVER (
               PARTITION BY question_id, query_no ORDER BY is_twin, weight IS NULL, weight DESC, score DESC, s_ent DESC, node_id
           ) AS turn
    FROM offered
), claim AS (  -- two names of each target's query are reserved
    SELECT *, asked_for IS NOT NULL AND turn <= 2 AND NOT is_twin AS first_two
    FROM placed
), standing AS (  -- each node once, where it stands best
    SELECT *, $seed_query_mode::VARCHAR = 'per_target' AND first_two AS reserved
    FROM claim
    QUALIFY row_number() OVER (
        PARTITION BY question_id, node_id ORDER BY NOT first_two, turn, asked_for, score DESC
    ) = 1
), ranked AS (
    SELECT *,
           row_number() OVER (
               PARTITION BY question_id
               ORDER BY NOT reserved, CASE WHEN reserved THEN turn END, CASE WHEN reserved THEN asked_for END,
                        weight IS NULL, weight DESC, score DESC, s_ent DESC, node_id
           ) AS place
    FROM standing
)
SELECT question_id,
       'node' AS item_kind,
       node_id AS item_id,
       group_id,
       coalesce(weight, score) AS score,
       CASE WHEN weight IS NOT NULL THEN 'anchor: the question names it'
            WHEN reserved THEN 'best for its target' ELSE 'edges and name like the question' END AS why
FROM ranked
WHERE place <= $seed_limit::INTEGER
ORDER BY question_id, place, item_id
/*</rows>*/;

-- connector: walk.no_connector
CREATE OR REPLACE TEMPORARY TABLE connector AS
/*<rows>*/
SELECT question_id,
       NULL::INTEGER AS depth,
       NULL::INTEGER AS tail_id,
       NULL::INTEGER AS seed_group,
       NULL::INTEGER[] AS nodes,
       NULL::INTEGER[] AS edges,
       NULL::INTEGER[] AS relations,
       NULL::BIGINT AS targets,
       NULL::BIGINT AS facets,
       NULL::STRUCT(
           relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
           first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
       ) AS sums
FROM question
WHERE false
/*</rows>*/;

-- walk: walk.beam
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE aim AS (  -- targets and facets whose coverage completes the evidence
    SELECT q.question_id, count(DISTINCT t.group_id) AS groups, count(DISTINCT f.query_no) AS facets
    FROM question AS q
    LEFT JOIN target AS t ON t.question_id = q.question_id
    LEFT JOIN query AS f ON f.question_id = q.question_id AND f.role = 'facet'
    GROUP BY q.question_id
), met AS (
    SELECT question_id, item_id AS node_id FROM seed WHERE item_kind = 'node'
), met_score AS (
    /*<met_score>*/
    SELECT q.question_id,
           unnest(node_scores(
               q.embedding::FLOAT[],
               list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
               a.asked
           ), recursive := true)
    FROM question AS q
    JOIN (
        SELECT m.question_id, list({'node_id': m.node_id, 'share': n.share}) AS asked
        FROM met AS m
        LEFT JOIN name_score AS n ON n.question_id = m.question_id AND n.node_id = m.node_id
        GROUP BY m.question_id
    ) AS a ON a.question_id = q.question_id
/*</met_score>*/
), start AS (
    SELECT s.question_id, s.item_id, s.group_id, s.score, coalesce(v.targets, 0) AS targets,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS place
    FROM seed AS s
    LEFT JOIN met_score AS v ON v.question_id = s.question_id AND v.node_id = s.item_id
    WHERE s.item_kind = 'node'
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           s.place AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           coalesce(s.group_id, -1 - s.item_id) AS seed_group,
           [s.item_id] AS nodes,
           []::INTEGER[] AS edges,
           []::INTEGER[] AS relations,
           {'relation': 0.0::DOUBLE, 'aim': 0.0::DOUBLE, 'specific': 0.0::DOUBLE, 'anchored': 0.0::DOUBLE,
            'aligned': 0.0::DOUBLE, 'coherent': 0.0::DOUBLE, 'hub': 0.0::DOUBLE, 'first': 0.0::DOUBLE, 'last': 0.0::DOUBLE,
            'repeated': 0.0::DOUBLE, 'question_like': 0.0::DOUBLE} AS sums,
           s.score AS score,
           {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
            'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
            'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
            'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
           'seed' AS view,
           s.place AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by,
           list(s.item_id) OVER (PARTITION BY s.question_id ORDER BY s.item_id
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS seen_nodes,
           []::INTEGER[] AS seen_edges,
           bit_or(s.targets) OVER (PARTITION BY s.question_id) AS targets,
           0::BIGINT AS facets,
           NULL::DOUBLE AS gain,
           NULL::DOUBLE AS completeness,
           NULL::VARCHAR AS stopped
    FROM start AS s
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, seed_group, nodes, edges, relations, sums, score, terms,
           view, rank, kept, pruned_by, seen_nodes, seen_edges, targets, facets, gain, completeness, stopped
    FROM (
        /*<step>*/
        WITH frontier AS (
            SELECT question_id, depth, path_id, tail_id, seed_group, nodes, edges, relations, sums, seen_nodes, seen_edges, targets,
                   facets
            FROM walk
            WHERE kept AND stopped IS NULL AND depth < $max_depth::INTEGER
        ), expansion AS MATERIALIZED (
            /*<expand>*/
            SELECT question_id, path_id, step.neighbour_id, step.edge_id, step.relation_id, step.forward
            FROM (
                SELECT question_id, path_id, unnest(adjacent(tail_id)) AS step
                FROM frontier
            )
        /*</expand>*/
        ), hop AS (
            /*<hop>*/
            WITH met AS (
                SELECT question_id, neighbour_id AS node_id FROM expansion
                UNION
                SELECT question_id, tail_id FROM frontier
            ), met_score AS (
                /*<met_score>*/
                SELECT q.question_id,
                       unnest(node_scores(
                           q.embedding::FLOAT[],
                           list_transform(q.targets, lambda t: {'node_id': t.node_id, 'group_id': t.group_id}),
                           a.asked
                       ), recursive := true)
                FROM question AS q
                JOIN (
                    SELECT m.question_id, list({'node_id': m.node_id, 'share': n.share}) AS asked
                    FROM met AS m
                    LEFT JOIN name_score AS n ON n.question_id = m.question_id AND n.node_id = m.node_id
                    GROUP BY m.question_id
                ) AS a ON a.question_id = q.question_id
            /*</met_score>*/
            )
            SELECT x.question_id, x.path_id, x.neighbour_id, x.edge_id, x.relation_id,
                   -- an edge's own cosine or overlap; a label-only edge takes its relation's cosine and that of the triple
                   coalesce(e.similarity, r.similarity, 0) AS relation,
                   coalesce(e.alignment, (coalesce(a.similarity, 0) + coalesce(r.similarity, 0) + v.similarity) / 3, 0) AS aligned,
                   coalesce(e.anchored, false)::INTEGER AS anchored,
                   v.similarity, v.relevance, v.specificity, v.hub_exposure, v.question_like, v.targets,
                   coalesce(e.facets, 0) | coalesce(r.facets, 0) AS facets
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            JOIN met_score AS v ON v.question_id = x.question_id AND v.node_id = x.neighbour_id
            LEFT JOIN met_score AS a ON a.question_id = x.question_id AND a.node_id = f.tail_id
            LEFT JOIN edge_score AS e ON e.question_id = x.question_id AND e.edge_id = x.edge_id
            LEFT JOIN relation_score AS r ON r.question_id = x.question_id AND r.relation_id = x.relation_id
            WHERE NOT list_contains(f.nodes, x.neighbour_id)
        /*</hop>*/
        ), chosen AS (
            SELECT *
            FROM hop
            QUALIFY row_number() OVER (
                PARTITION BY question_id, path_id ORDER BY relation DESC, similarity DESC, edge_id
            ) <= $fan_out::INTEGER
        ), grown AS (
            /*<grow>*/
            SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, h.neighbour_id AS tail_id, f.seed_group,
                   list_append(f.nodes, h.neighbour_id) AS nodes,
                   list_append(f.edges, h.edge_id) AS edges,
                   list_append(f.relations, h.relation_id) AS relations,
                   h.targets, h.facets, f.facets AS facets_before,
                   {'relation': f.sums.relation + h.relation,
                    -- the nearest the path comes to a target; without targets, how like the question it ends
                    'aim': CASE WHEN g.groups = 0 THEN h.relevance ELSE greatest(f.sums.aim, h.relevance) END,
                    'specific': f.sums.specific + h.specificity, 'anchored': f.sums.anchored + h.anchored,
                    'aligned': f.sums.aligned + h.aligned,
                    -- consecutive edges hang together as far as both speak of the question
                    'coherent': f.sums.coherent + CASE WHEN f.depth = 0 THEN h.relation ELSE least(h.relation, f.sums.last) END,
                    'hub': f.sums.hub + h.hub_exposure, 'first': CASE WHEN f.depth = 0 THEN h.relation ELSE f.sums.first END,
                    'last': h.relation,
                    'repeated': f.sums.repeated
                                + (list_contains(f.relations, h.relation_id) AND h.relation_id <> $rule_relation_id::INTEGER)::INTEGER,
                    'question_like': greatest(f.sums.question_like, h.question_like)} AS sums
            FROM chosen AS h
            JOIN frontier AS f ON f.question_id = h.question_id AND f.path_id = h.path_id
            JOIN aim AS g ON g.question_id = h.question_id
        /*</grow>*/
        ), summed AS (
            SELECT question_id, depth, parent_id, tail_id, seed_group, nodes, edges, relations, 'beam' AS view, targets, facets, sums
            FROM grown
            UNION ALL
            SELECT c.question_id, c.depth, NULL, c.tail_id, c.seed_group, c.nodes, c.edges, c.relations, 'connector', c.targets, c.facets,
                   c.sums
            FROM connector AS c
            SEMI JOIN frontier AS f ON f.question_id = c.question_id AND f.depth + 1 = c.depth
        ), scored AS (
            /*<score>*/
            SELECT question_id, depth, parent_id, tail_id, seed_group, nodes, edges, relations, view, targets, facets, sums, terms,
                   $relation_similarity::DOUBLE * terms.relation_similarity                -- eq. 8
                   + $target_relevance::DOUBLE * boost * terms.target_relevance
                   + $specificity::DOUBLE * terms.specificity
                   + $anchor_consistency::DOUBLE * boost * terms.anchor_consistency
                   + $transition_alignment::DOUBLE * boost * terms.transition_alignment
                   + $coherence::DOUBLE * terms.coherence
                   - $hub_exposure::DOUBLE * boost * terms.hub_exposure
                   - $repetition::DOUBLE * terms.repetition
                   - $question_like::DOUBLE * terms.question_like AS score
            FROM (
                SELECT *,
                       {'relation_similarity': sums.relation / depth, 'target_relevance': sums.aim, 'specificity': sums.specific / depth,
                        'anchor_consistency': sums.anchored / depth, 'transition_alignment': sums.aligned / depth,
                        'coherence': sums.coherent / depth, 'hub_exposure': sums.hub / depth, 'repetition': sums.repeated / depth,
                        'question_like': sums.question_like, 'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE,
                        'residual': NULL::DOUBLE} AS terms,
                       CASE WHEN $anchor_strength::DOUBLE < 0.4 THEN 1.0 ELSE 1 + ($anchor_strength::DOUBLE - 0.4) / 0.6 END AS boost
                FROM summed
            )
        /*</score>*/
        ), numbered AS MATERIALIZED (
            SELECT *, row_number() OVER () AS row_no
            FROM scored
        ), sortable AS (  -- numbers only: to sort what a path holds, lists and structs, costs more than to score it
            SELECT row_no, question_id, score, parent_id, nodes[1] AS seed_id, hash(list_sort(edges)) AS edge_set,
                   CASE WHEN parent_id IS NOT NULL THEN edges[array_length(edges)] END AS last_edge,
                   CASE WHEN parent_id IS NULL THEN edges END AS way
            FROM numbered
        ), turned AS (  -- the better of two paths over the same edges; in one sorted run: many tiny partitions are slow
            SELECT *,
                   CASE WHEN edge_set = lag(edge_set) OVER (
                       PARTITION BY question_id ORDER BY edge_set, score DESC, parent_id, last_edge, way
                   ) THEN 2 ELSE 1 END AS turn
            FROM sortable
        ), ranked AS (  -- then the best W of the pool
            SELECT row_no, turn,
                   row_number() OVER (
                       PARTITION BY question_id, turn, CASE WHEN $beam_scope::VARCHAR = 'seed' THEN seed_id END
                       ORDER BY score DESC, parent_id, last_edge, way
                   ) <= $beam_width::INTEGER AND turn = 1 AS kept,
                   row_number() OVER (PARTITION BY question_id ORDER BY turn, score DESC, parent_id, last_edge, way) AS rank
            FROM turned
        ), judged AS (
            SELECT n.*, r.turn, r.rank, r.kept
            FROM ranked AS r
            JOIN numbered AS n ON n.row_no = r.row_no
            WHERE r.kept OR $keep_pruned::BOOLEAN
        ), reached AS (  -- N, E of eq. 9: what this depth's kept paths hold
            SELECT question_id,
                   list_distinct(flatten(list(nodes))) AS new_nodes,
                   list_distinct(flatten(list(edges))) AS new_edges,
                   bit_or(targets) AS targets,
                   bit_or(facets) AS facets
            FROM judged
            WHERE kept
            GROUP BY question_id
        ), before AS (  -- A of eq. 9: what was there
            SELECT question_id, any_value(seen_nodes) AS seen_nodes, any_value(seen_edges) AS seen_edges,
                   any_value(targets) AS targets, any_value(facets) AS facets
            FROM frontier
            GROUP BY question_id
        ), grown_by AS (
            SELECT n.question_id,
                   list_sort(list_distinct(list_concat(b.seen_nodes, n.new_nodes))) AS seen_nodes,
                   list_sort(list_distinct(list_concat(b.seen_edges, n.new_edges))) AS seen_edges,
                   array_length(b.seen_nodes) + array_length(b.seen_edges) AS size_before,
                   b.targets | n.targets AS targets,
                   b.facets | n.facets AS facets
            FROM reached AS n
            JOIN before AS b ON b.question_id = n.question_id
        ), gained AS (
            SELECT g.question_id, g.seen_nodes, g.seen_edges, g.targets, g.facets,
                   (array_length(g.seen_nodes) + array_length(g.seen_edges) - g.size_before)
                   / greatest(1, g.size_before)::DOUBLE AS gain,  -- eq. 9
                   -- targets, facets and volume; what was not asked for is left out of the sum and of its weights
                   ((CASE WHEN a.groups = 0 THEN 0 ELSE 0.5 * bit_count(g.targets) / a.groups END
                     + CASE WHEN a.facets = 0 THEN 0 ELSE 0.3 * bit_count(g.facets) / a.facets END
                     + 0.2 * least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE))
                    / (CASE WHEN a.groups = 0 THEN 0.0 ELSE 0.5 END + CASE WHEN a.facets = 0 THEN 0.0 ELSE 0.3 END + 0.2))::DOUBLE
                       AS completeness
            FROM grown_by AS g
            JOIN aim AS a ON a.question_id = g.question_id
        )
        SELECT j.question_id,
               j.depth,
               j.depth * 1000000 + j.rank AS path_id,
               j.parent_id,
               j.tail_id,
               j.seed_group,
               j.nodes, j.edges, j.relations, j.sums, j.score, j.terms, j.view, j.rank, j.kept,
               CASE WHEN j.turn > 1 THEN 'same_edges' WHEN NOT j.kept THEN 'beam_width' END AS pruned_by,
               g.seen_nodes, g.seen_edges, g.targets, g.facets, g.gain, g.completeness,
               CASE WHEN g.gain = 0 THEN 'no_gain'
                    WHEN j.depth >= 2 AND g.completeness >= $completeness_floor::DOUBLE                         -- eq. 10
                         AND g.gain <= CASE $stop_regime::VARCHAR WHEN 'shallow' THEN 5.00 WHEN 'medium' THEN 0.35 ELSE 0.24 END
                    THEN 'low_gain'
                    WHEN j.depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
        FROM judged AS j
        JOIN gained AS g ON g.question_id = j.question_id
/*</step>*/
    )
)
SELECT question_id,
       depth,
       path_id::BIGINT AS path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes,
       edges,
       []::INTEGER[] AS chunks,
       score,
       terms,
       view,
       rank::INTEGER AS rank,
       kept,
       pruned_by,
       gain,
       completeness,
       stopped
FROM walk
ORDER BY question_id, depth, path_id
/*</rows>*/;

-- evidence: evidence.beam
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/
WITH path AS (  -- the same edges once
    SELECT question_id, path_id, nodes, edges, view, score,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, path_id) AS place
    FROM (
        SELECT question_id, path_id, nodes, edges, view, score
        FROM walk
        WHERE depth > 0 AND kept
        QUALIFY row_number() OVER (PARTITION BY question_id, list_sort(edges) ORDER BY score DESC, path_id) = 1
    )
), on_path AS (
    SELECT question_id, path_id, place, score, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
    FROM path
), beside AS (
    SELECT question_id, path_id, place, score, unnest(nodes) AS node_id, generate_subscripts(nodes, 1) AS hop
    FROM path
), page_count AS (
    SELECT node_id, count(*) AS pages
    FROM title_page
    WHERE node_id IN (SELECT node_id FROM beside)
    GROUP BY node_id
), stated AS (
    SELECT p.question_id, p.path_id, p.place, p.hop, p.edge_id, c.chunk_id, p.score AS strength
    FROM on_path AS p
    LEFT JOIN edge_chunk AS c ON c.edge_id = p.edge_id
    UNION ALL
    SELECT b.question_id, b.path_id, b.place, b.hop, NULL, t.chunk_id, b.score / sqrt(n.pages)
    FROM beside AS b
    JOIN title_page AS t ON t.node_id = b.node_id
    JOIN page_count AS n ON n.node_id = b.node_id
), reached AS (  -- first appearance on the best path wins
    SELECT question_id, chunk_id, CASE WHEN chunk_id IS NULL THEN edge_id END AS bare_edge_id,
           max(strength) AS strength, min(place) AS place,
           arg_min({'path_id': path_id, 'edge_id': edge_id}, (-strength, place, edge_id IS NULL, hop, edge_id)) AS by_path
    FROM stated
    GROUP BY question_id, chunk_id, bare_edge_id
), unit AS (
    SELECT r.question_id, r.chunk_id, r.bare_edge_id, r.by_path.path_id AS path_id, r.by_path.edge_id AS edge_id, b.cosine,
           coalesce(b.score, 0) + $link_gain::DOUBLE * greatest(0, r.strength) AS score,
           r.place <= $candidate_limit::INTEGER AS eligible, 'candidate_limit' AS rule
    FROM reached AS r
    LEFT JOIN base AS b ON b.question_id = r.question_id AND b.chunk_id = r.chunk_id
    UNION ALL
    SELECT b.question_id, b.chunk_id, NULL, NULL, NULL, b.cosine, b.score,
           $chunk_units::BOOLEAN OR NOT EXISTS (SELECT 1 FROM path AS p WHERE p.question_id = b.question_id), 'chunk_units'
    FROM base AS b
    ANTI JOIN reached AS r ON r.question_id = b.question_id AND r.chunk_id = b.chunk_id
    WHERE b.score > 0 AND b.place <= $ranking_limit::INTEGER
), placed AS (
    SELECT *,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, chunk_id, bare_edge_id) AS place,
           row_number() OVER (PARTITION BY question_id, eligible ORDER BY score DESC, chunk_id, bare_edge_id) AS turn
    FROM unit
), reserved AS (
    /*<reserve>*/
    SELECT question_id, chunk_id, bare_edge_id, NULL::INTEGER AS role_no, NULL::VARCHAR AS role
    FROM placed
    WHERE false
    /*</reserve>*/
), ordered AS (  -- the core units, then one for each missing role, then the rest by score
    SELECT p.question_id, p.chunk_id, p.bare_edge_id, p.path_id, p.edge_id, p.score, p.cosine, p.eligible, p.rule, p.turn,
           r.role,
           row_number() OVER (
               PARTITION BY p.question_id
               ORDER BY CASE WHEN r.role_no IS NOT NULL THEN 1
                             WHEN $adaptive_final_evidence::BOOLEAN AND NOT (p.eligible AND p.turn <= $core_units::INTEGER)
                             THEN 2 ELSE 0 END,
                        r.role_no, p.place
           ) AS rank,
           count(*) FILTER (p.eligible) OVER (PARTITION BY p.question_id) AS eligible_count
    FROM placed AS p
    LEFT JOIN reserved AS r
      ON r.question_id = p.question_id
     AND r.chunk_id IS NOT DISTINCT FROM p.chunk_id AND r.bare_edge_id IS NOT DISTINCT FROM p.bare_edge_id
), judged AS (  -- the cap; the floor takes the best excluded units back
    SELECT *,
           CASE WHEN eligible
                THEN count(*) FILTER (eligible) OVER (PARTITION BY question_id ORDER BY rank) <= $evidence_count::INTEGER
                ELSE turn <= $min_evidence::INTEGER - eligible_count END AS kept
    FROM ordered
)
SELECT j.question_id,
       j.rank::INTEGER AS rank,
       CASE WHEN j.edge_id IS NULL THEN 'chunk' ELSE 'edge' END AS unit_kind,
       coalesce(j.edge_id, j.chunk_id) AS unit_id,
       j.chunk_id,
       d.source,
       j.path_id,
       coalesce(j.role, CASE WHEN j.edge_id IS NOT NULL THEN 'path'
                             WHEN j.path_id IS NOT NULL THEN 'page' ELSE 'seed' END) AS role,
       j.score,
       j.cosine,
       j.kept,
       -- a unit that the floor took back tells the rule that was against it
       CASE WHEN NOT j.eligible THEN j.rule WHEN NOT j.kept THEN 'evidence_count' END AS pruned_by
FROM judged AS j
LEFT JOIN chunk AS c ON c.chunk_id = j.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
WHERE j.kept OR j.rank <= $ranking_limit::INTEGER
ORDER BY j.question_id, j.rank
/*</rows>*/;
