-- name: seed.beam
-- doc: Seed nodes (eq. 6, 7): the best edge at a node, or 0.3 of its own similarity and 0.7 of that; named
--   targets first. The top 40 of each index take part.
-- params: selection_mode VARCHAR, seed_limit INTEGER
-- returns: question_id INTEGER, item_kind VARCHAR, item_id INTEGER, group_id INTEGER, score DOUBLE, why VARCHAR
-- order: question_id, place, item_id
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
