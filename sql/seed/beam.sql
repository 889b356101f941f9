-- name: seed.beam
-- doc: Seed nodes (eq. 6, 7): per query the best edge at a node, or 0.3 of its own similarity and 0.7 of that; the top 40
--   of each index take part. Named targets come first; in per-target mode the two best of each target's own query do, two
--   of different names: a name that is a node of the text and one of the graph takes one place.
-- params: selection_mode VARCHAR, seed_query_mode VARCHAR, seed_limit INTEGER
-- slots: met_score
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, place, item_id
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
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
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
