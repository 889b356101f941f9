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
    )[]
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

-- topic: stage.topic
CREATE OR REPLACE TEMPORARY VIEW topic AS
SELECT question_id, unnest(topics) AS node_id
FROM question;

-- transition: stage.transition
CREATE OR REPLACE TEMPORARY VIEW transition AS
SELECT question_id, unnest(transitions, recursive := true)
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

-- node_score: walk.node_score
CREATE OR REPLACE TEMPORARY TABLE node_score AS
/*<rows>*/
WITH aim AS (
    SELECT DISTINCT t.question_id, t.node_id, v.embedding
    FROM target AS t
    JOIN node AS v ON v.node_id = t.node_id
), to_aim AS (  -- target relevance: the best cosine with a target of the question
    SELECT a.question_id, v.node_id, max(array_inner_product(v.embedding, a.embedding)) / 16000000.0::DOUBLE AS cosine
    FROM aim AS a
    CROSS JOIN node AS v
    WHERE v.embedding IS NOT NULL AND a.embedding IS NOT NULL
    GROUP BY a.question_id, v.node_id
), aimed AS (
    SELECT DISTINCT question_id FROM aim
), named AS (
    SELECT q.question_id, p.node_id, sum(p.weight)::BIGINT AS weight
    FROM question_term AS q
    JOIN name_posting AS p ON p.term_id = q.term_id
    GROUP BY q.question_id, p.node_id
), alike AS (
    SELECT question_id, node_id, weight / max(weight) OVER (PARTITION BY question_id) AS share
    FROM named
), near AS (
    SELECT q.question_id, v.node_id, v.name, v.specificity, v.hub_share,
           -- coalesce inside: least and greatest leave NULL out, least(1, NULL) is 1
           greatest(0, least(1, coalesce(
               array_inner_product(v.embedding, q.embedding) / 16000000.0::DOUBLE, l.share, 0
           ))) AS similarity,
           d.question_id IS NOT NULL AS has_aim,
           a.cosine AS aim_cosine,
           t.node_id IS NOT NULL AS is_target
    FROM question AS q
    CROSS JOIN node AS v
    LEFT JOIN alike AS l ON l.question_id = q.question_id AND l.node_id = v.node_id
    LEFT JOIN aimed AS d ON d.question_id = q.question_id
    LEFT JOIN to_aim AS a ON a.question_id = q.question_id AND a.node_id = v.node_id
    LEFT JOIN aim AS t ON t.question_id = q.question_id AND t.node_id = v.node_id
    WHERE v.degree > 0 OR t.node_id IS NOT NULL
)
SELECT question_id,
       node_id,
       similarity,
       CASE WHEN is_target THEN 1.0
            WHEN has_aim THEN greatest(0, least(1, coalesce(aim_cosine, 0)))
            ELSE similarity END AS relevance,
       greatest(0, coalesce(specificity, 0)) / 65536.0::DOUBLE AS specificity,
       coalesce(hub_share, 0) / 65536.0::DOUBLE AS hub_exposure,
       CASE WHEN ends_with(name, '?') THEN 1.0 ELSE 0.0 END::DOUBLE AS question_like,
       is_target
FROM near
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
)
SELECT q.question_id,
       r.relation_id,
       CASE WHEN r.embedding IS NULL OR q.embedding IS NULL THEN coalesce(o.idf / t.idf, 0)
            ELSE greatest(0, least(1, array_inner_product(r.embedding, q.embedding) / 16000000.0::DOUBLE))
            END::DOUBLE AS similarity
FROM question AS q
CROSS JOIN relation AS r
LEFT JOIN total AS t ON t.question_id = q.question_id
LEFT JOIN overlap AS o ON o.question_id = q.question_id AND o.relation_id = r.relation_id
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
           greatest(0, least(1, array_inner_product(e.embedding, q.embedding) / 16000000.0::DOUBLE)) AS cosine
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
), found AS (
    SELECT question_id, edge_id FROM said
    UNION
    SELECT question_id, edge_id FROM close
    UNION
    SELECT question_id, edge_id FROM anchored
)
SELECT f.question_id,
       f.edge_id,
       coalesce(c.cosine, s.overlap)::DOUBLE AS similarity,
       coalesce(c.cosine, s.overlap)::DOUBLE AS alignment,
       a.edge_id IS NOT NULL AS anchored,
       CASE WHEN c.cosine IS NOT NULL THEN 'cosine' WHEN s.overlap IS NOT NULL THEN 'overlap' END AS form
FROM found AS f
LEFT JOIN said AS s ON s.question_id = f.question_id AND s.edge_id = f.edge_id
LEFT JOIN close AS c ON c.question_id = f.question_id AND c.edge_id = f.edge_id
LEFT JOIN anchored AS a ON a.question_id = f.question_id AND a.edge_id = f.edge_id
ORDER BY f.question_id, f.edge_id
/*</rows>*/;

-- seed: seed.beam
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/
WITH edge_hit AS (  -- s_rel: the best edge at a node
    SELECT question_id, node_id, max(similarity) AS score
    FROM (
        SELECT h.question_id, h.similarity, unnest([e.source_id, e.target_id]) AS node_id
        FROM (
            SELECT question_id, edge_id, similarity
            FROM edge_score
            WHERE similarity >= 0.2
            QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY similarity DESC, edge_id) <= 40
        ) AS h
        JOIN edge AS e ON e.edge_id = h.edge_id
    )
    GROUP BY question_id, node_id
), node_hit AS (  -- s_ent: the node's own name
    SELECT question_id, node_id, similarity AS score
    FROM node_score
    WHERE similarity >= 0.2
    QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY similarity DESC, node_id) <= 40
), named AS (
    SELECT question_id, node_id, min(group_id) AS group_id, max(weight) AS weight
    FROM target
    GROUP BY question_id, node_id
), found AS (
    SELECT coalesce(r.question_id, n.question_id) AS question_id,
           coalesce(r.node_id, n.node_id) AS node_id,
           coalesce(r.score, 0) AS s_rel,
           coalesce(n.score, 0) AS s_ent
    FROM edge_hit AS r
    FULL JOIN node_hit AS n ON n.question_id = r.question_id AND n.node_id = r.node_id
), scored AS (
    SELECT coalesce(f.question_id, t.question_id) AS question_id,
           coalesce(f.node_id, t.node_id) AS node_id,
           t.group_id,
           t.weight,
           CASE WHEN $selection_mode::VARCHAR = 'hybrid'
                THEN 0.3 * coalesce(f.s_ent, 0) + 0.7 * coalesce(f.s_rel, 0)  -- eq. 7
                ELSE coalesce(f.s_rel, 0) END AS score,                       -- eq. 6
           coalesce(f.s_ent, 0) AS s_ent
    FROM found AS f
    FULL JOIN named AS t ON t.question_id = f.question_id AND t.node_id = f.node_id
), ranked AS (
    SELECT *,
           row_number() OVER (
               PARTITION BY question_id ORDER BY weight IS NULL, weight DESC, score DESC, s_ent DESC, node_id
           ) AS place
    FROM scored
    WHERE score > 0 OR s_ent > 0 OR weight IS NOT NULL
)
SELECT question_id,
       'node' AS item_kind,
       node_id AS item_id,
       group_id,
       coalesce(weight, score) AS score,
       CASE WHEN weight IS NOT NULL THEN 'anchor: the question names it' ELSE 'edges and name like the question' END AS why
FROM ranked
WHERE place <= $seed_limit::INTEGER
ORDER BY question_id, place, item_id
/*</rows>*/;

-- walk: walk.beam
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE aim AS (  -- targets whose coverage completes the evidence
    SELECT question_id, count(DISTINCT group_id) AS groups
    FROM target
    GROUP BY question_id
), walk AS (
    SELECT s.question_id,
           0 AS depth,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS path_id,
           NULL::BIGINT AS parent_id,
           s.item_id AS tail_id,
           coalesce(s.group_id, -1 - s.item_id) AS seed_group,
           [s.item_id] AS nodes,
           []::INTEGER[] AS edges,
           []::INTEGER[] AS relations,
           {'relation': 0.0::DOUBLE, 'aim': 0.0::DOUBLE, 'specific': 0.0::DOUBLE, 'anchored': 0.0::DOUBLE,
            'aligned': 0.0::DOUBLE, 'coherent': 0.0::DOUBLE, 'hub': 0.0::DOUBLE, 'last': 0.0::DOUBLE} AS sums,
           s.score AS score,
           {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
           'seed' AS view,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.score DESC, s.item_id) AS rank,
           true AS kept,
           NULL::VARCHAR AS pruned_by,
           list(s.item_id) OVER (PARTITION BY s.question_id ORDER BY s.item_id
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS seen_nodes,
           []::INTEGER[] AS seen_edges,
           NULL::DOUBLE AS gain,
           NULL::DOUBLE AS completeness,
           NULL::VARCHAR AS stopped
    FROM seed AS s
    WHERE s.item_kind = 'node'
    UNION ALL
    SELECT question_id, depth, path_id, parent_id, tail_id, seed_group, nodes, edges, relations, sums, score, terms,
           view, rank, kept, pruned_by, seen_nodes, seen_edges, gain, completeness, stopped
    FROM (
        /*<step>*/
        WITH frontier AS (
            SELECT question_id, depth, path_id, tail_id, seed_group, nodes, edges, relations, sums, terms, seen_nodes, seen_edges
            FROM walk
            WHERE kept AND stopped IS NULL AND depth < $max_depth::INTEGER
        ), expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
        /*</expand>*/
        ), grown AS (
            SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, f.seed_group,
                   f.seen_nodes, f.seen_edges, f.relations, x.neighbour_id, x.edge_id, x.relation_id,
                   list_append(f.nodes, x.neighbour_id) AS nodes,
                   list_append(f.edges, x.edge_id) AS edges,
                   list_contains(f.relations, x.relation_id) AND x.relation_id <> $rule_relation_id::INTEGER AS repeats,
                   f.sums, f.terms,
                   -- an edge's own cosine or overlap; a label-only edge takes its relation's cosine and that of the triple
                   coalesce(e.similarity, r.similarity, 0) AS relation,
                   coalesce(e.alignment, (coalesce(a.similarity, 0) + coalesce(r.similarity, 0) + v.similarity) / 3, 0) AS aligned,
                   coalesce(e.anchored, false)::INTEGER AS anchored,
                   g.groups IS NULL AS aimless, v.relevance, v.specificity, v.hub_exposure, v.question_like,
                   row_number() OVER (
                       PARTITION BY f.question_id, f.path_id
                       ORDER BY coalesce(e.similarity, r.similarity, 0) DESC, v.similarity DESC, x.edge_id
                   ) AS fan
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            JOIN node_score AS v ON v.question_id = x.question_id AND v.node_id = x.neighbour_id
            LEFT JOIN node_score AS a ON a.question_id = x.question_id AND a.node_id = f.tail_id
            LEFT JOIN edge_score AS e ON e.question_id = x.question_id AND e.edge_id = x.edge_id
            LEFT JOIN relation_score AS r ON r.question_id = x.question_id AND r.relation_id = x.relation_id
            LEFT JOIN aim AS g ON g.question_id = x.question_id
            WHERE NOT list_contains(f.nodes, x.neighbour_id)
        ), summed AS (
            SELECT * EXCLUDE (sums),
                   {'relation': sums.relation + relation,
                    -- the nearest the path comes to a target; without targets, how like the question it ends
                    'aim': CASE WHEN aimless THEN relevance ELSE greatest(sums.aim, relevance) END,
                    'specific': sums.specific + specificity, 'anchored': sums.anchored + anchored, 'aligned': sums.aligned + aligned,
                    -- consecutive edges hang together as far as both speak of the question
                    'coherent': sums.coherent + CASE WHEN depth = 1 THEN relation ELSE least(relation, sums.last) END,
                    'hub': sums.hub + hub_exposure, 'last': relation} AS sums
            FROM grown
            WHERE fan <= $fan_out::INTEGER
        ), featured AS (
            SELECT * EXCLUDE (terms),
                   {'relation_similarity': sums.relation / depth, 'target_relevance': sums.aim, 'specificity': sums.specific / depth,
                    'anchor_consistency': sums.anchored / depth, 'transition_alignment': sums.aligned / depth,
                    'coherence': sums.coherent / depth, 'hub_exposure': sums.hub / depth,
                    'repetition': (coalesce(terms.repetition, 0) * (depth - 1) + repeats::INTEGER) / depth,
                    'question_like': greatest(coalesce(terms.question_like, 0), question_like),
                    'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
                   -- from an anchor strength of 0.4 its terms grow, up to twice
                   CASE WHEN $anchor_strength::DOUBLE < 0.4 THEN 1.0 ELSE 1 + ($anchor_strength::DOUBLE - 0.4) / 0.6 END AS boost
            FROM summed
        ), scored AS (
            SELECT *,
                   $relation_similarity::DOUBLE * terms.relation_similarity                -- eq. 8
                   + $target_relevance::DOUBLE * boost * terms.target_relevance
                   + $specificity::DOUBLE * terms.specificity
                   + $anchor_consistency::DOUBLE * boost * terms.anchor_consistency
                   + $transition_alignment::DOUBLE * boost * terms.transition_alignment
                   + $coherence::DOUBLE * terms.coherence
                   - $hub_exposure::DOUBLE * boost * terms.hub_exposure
                   - $repetition::DOUBLE * terms.repetition
                   - $question_like::DOUBLE * terms.question_like AS score
            FROM featured
        ), ranked AS (  -- the better of two paths over the same edges; then the best W of the pool
            SELECT *,
                   row_number() OVER (
                       PARTITION BY question_id, turn, CASE WHEN $beam_scope::VARCHAR = 'seed' THEN nodes[1] END
                       ORDER BY score DESC, parent_id, edge_id
                   ) AS place,
                   row_number() OVER (PARTITION BY question_id ORDER BY turn, score DESC, parent_id, edge_id) AS rank
            FROM (
                SELECT *,
                       if(edge_set = lag(edge_set) OVER (PARTITION BY question_id ORDER BY edge_set, score DESC, parent_id, edge_id),
                          2, 1) AS turn  -- in one sorted run: a window of a thousand tiny partitions is slow
                FROM (SELECT *, list_sort(edges) AS edge_set FROM scored)
            )
        ), judged AS (
            SELECT *, turn = 1 AND place <= $beam_width::INTEGER AS kept
            FROM ranked
        ), reached AS (  -- A and N, E of eq. 9: what was there, and what this depth's kept paths hold
            SELECT question_id, depth,
                   any_value(seen_nodes) AS old_nodes, any_value(seen_edges) AS old_edges,
                   list_sort(list_distinct(flatten(list(nodes)))) AS new_nodes,
                   list_sort(list_distinct(flatten(list(edges)))) AS new_edges
            FROM judged
            WHERE kept
            GROUP BY question_id, depth
        ), grown_by AS (
            SELECT question_id,
                   list_sort(list_distinct(list_concat(old_nodes, new_nodes))) AS seen_nodes,
                   list_sort(list_distinct(list_concat(old_edges, new_edges))) AS seen_edges,
                   array_length(old_nodes) + array_length(old_edges) AS before
            FROM reached
        ), covered AS (
            SELECT g.question_id, count(DISTINCT t.group_id) AS groups
            FROM grown_by AS g
            JOIN target AS t ON t.question_id = g.question_id AND list_contains(g.seen_nodes, t.node_id)
            GROUP BY g.question_id
        ), gained AS (
            SELECT g.question_id, g.seen_nodes, g.seen_edges,
                   (array_length(g.seen_nodes) + array_length(g.seen_edges) - g.before) / greatest(1, g.before)::DOUBLE AS gain,  -- eq. 9
                   -- targets and volume; without targets volume alone
                   CASE WHEN a.groups IS NULL THEN least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE)
                        ELSE (0.5 * coalesce(c.groups, 0) / a.groups
                              + 0.2 * least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE)) / 0.7
                        END::DOUBLE AS completeness
            FROM grown_by AS g
            LEFT JOIN aim AS a ON a.question_id = g.question_id
            LEFT JOIN covered AS c ON c.question_id = g.question_id
        )
        SELECT j.question_id,
               j.depth,
               j.depth * 1000000 + j.rank AS path_id,
               j.parent_id,
               j.neighbour_id AS tail_id,
               j.seed_group,
               j.nodes, j.edges,
               list_append(j.relations, j.relation_id) AS relations,
               j.sums,
               j.score,
               j.terms,
               'beam' AS view,
               j.rank,
               j.kept,
               CASE WHEN j.turn > 1 THEN 'same_edges' WHEN NOT j.kept THEN 'beam_width' END AS pruned_by,
               g.seen_nodes,
               g.seen_edges,
               g.gain,
               g.completeness,
               CASE WHEN g.gain = 0 THEN 'no_gain'
                    WHEN j.depth >= 2 AND g.completeness >= $completeness_floor::DOUBLE                         -- eq. 10
                         AND g.gain <= CASE $stop_regime::VARCHAR WHEN 'shallow' THEN 5.00 WHEN 'medium' THEN 0.35 ELSE 0.24 END
                    THEN 'low_gain'
                    WHEN j.depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
        FROM judged AS j
        JOIN gained AS g ON g.question_id = j.question_id
        WHERE j.kept OR $keep_pruned::BOOLEAN
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
    SELECT question_id, path_id, edges, score,
           row_number() OVER (PARTITION BY question_id ORDER BY score DESC, path_id) AS place
    FROM (
        SELECT question_id, path_id, edges, score
        FROM walk
        WHERE depth > 0 AND kept
        QUALIFY row_number() OVER (PARTITION BY question_id, list_sort(edges) ORDER BY score DESC, path_id) = 1
    )
), unit AS (  -- the unit's score is that of the best path that holds it
    SELECT question_id, path_id, score, place, edge_id, hop
    FROM (
        SELECT question_id, path_id, score, place, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
        FROM path
    )
    QUALIFY row_number() OVER (PARTITION BY question_id, edge_id ORDER BY place, hop) = 1
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place > $candidate_limit::INTEGER, place, hop, edge_id) AS rank
    FROM unit
), source AS (
    SELECT edge_id, min(chunk_id) AS chunk_id
    FROM edge_chunk
    GROUP BY edge_id
), judged AS (
    SELECT p.question_id, p.rank, p.edge_id, s.chunk_id, p.path_id, p.score, b.cosine,
           -- the cap holds for the filter's paths; the floor takes the best excluded units back
           (p.place <= $candidate_limit::INTEGER AND p.rank <= $evidence_count::INTEGER)
           OR p.rank <= $min_evidence::INTEGER AS kept,
           CASE WHEN p.place > $candidate_limit::INTEGER THEN 'candidate_limit' ELSE 'evidence_count' END AS rule
    FROM placed AS p
    LEFT JOIN source AS s ON s.edge_id = p.edge_id
    LEFT JOIN base AS b ON b.question_id = p.question_id AND b.chunk_id = s.chunk_id
), rest AS (
    SELECT b.question_id, b.chunk_id, b.score, b.cosine,
           b.place + coalesce((SELECT max(rank) FROM judged AS j WHERE j.question_id = b.question_id), 0) AS rank
    FROM base AS b
    WHERE b.score > 0 AND b.place <= $ranking_limit::INTEGER
)
SELECT u.question_id, u.rank, u.unit_kind, u.unit_id, u.chunk_id, d.source, u.path_id, u.role, u.score, u.cosine, u.kept,
       u.pruned_by
FROM (
    SELECT question_id, rank::INTEGER AS rank, 'edge' AS unit_kind, edge_id AS unit_id, chunk_id, path_id, 'path' AS role,
           score, cosine, kept,
           CASE WHEN NOT kept THEN rule END AS pruned_by
    FROM judged
    UNION ALL
    SELECT r.question_id, r.rank::INTEGER, 'chunk', r.chunk_id, r.chunk_id, NULL, 'seed', r.score, r.cosine,
           -- where the graph gave nothing, words and vectors do
           NOT EXISTS (SELECT 1 FROM judged AS j WHERE j.question_id = r.question_id)
           AND r.rank <= $evidence_count::INTEGER AS kept,
           CASE WHEN EXISTS (SELECT 1 FROM judged AS j WHERE j.question_id = r.question_id) THEN 'path_first'
                WHEN r.rank > $evidence_count::INTEGER THEN 'evidence_count' END
    FROM rest AS r
) AS u
LEFT JOIN chunk AS c ON c.chunk_id = u.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
ORDER BY u.question_id, u.rank
/*</rows>*/;
