-- name: evidence.pattern
-- doc: Edges of the paths found, in path order: the answers of a meta-path, the shortest paths, the neighbourhood of a
--   bfs with each relation of a node in turn, so that none crowds out the others; and the pages of what a bfs is about.
-- params: anchor_reserve INTEGER
-- slots: edge
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source
--   VARCHAR, path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
WITH turn AS (
    SELECT w.question_id, w.path_id,
           row_number() OVER (PARTITION BY w.question_id, w.parent_id, e.relation_id ORDER BY w.rank) AS turn
    FROM walk AS w
    JOIN edge AS e ON e.edge_id = w.edges[w.depth]
    WHERE w.view = 'pattern' AND w.depth > 0 AND w.kept AND w.rank IS NOT NULL
), path AS (
    SELECT w.question_id, w.path_id, w.edges, w.score,
           row_number() OVER (
               PARTITION BY w.question_id ORDER BY CASE WHEN t.turn IS NULL THEN 0 ELSE w.depth END, t.turn, w.rank
           ) AS place
    FROM walk AS w
    LEFT JOIN turn AS t ON t.question_id = w.question_id AND t.path_id = w.path_id
    WHERE w.depth > 0 AND w.kept AND w.rank IS NOT NULL
), edge_unit AS (
    /*<edge>*/
    SELECT question_id, path_id::INTEGER AS rank, 'edge' AS unit_kind, NULL::INTEGER AS unit_id, NULL::INTEGER AS chunk_id,
           NULL::VARCHAR AS source, path_id, 'path' AS role, score, score AS cosine, false AS kept, NULL::VARCHAR AS pruned_by
    FROM path
    WHERE false
    /*</edge>*/
), about AS (
    SELECT g.question_id, g.chunk_id, max(g.weight) AS weight
    FROM page AS g
    SEMI JOIN walk AS w ON w.question_id = g.question_id AND w.view = 'pattern' AND w.rank IS NOT NULL
    GROUP BY g.question_id, g.chunk_id
), paged AS (
    SELECT a.question_id, a.chunk_id, a.weight,
           row_number() OVER (PARTITION BY a.question_id ORDER BY a.weight DESC, a.chunk_id) AS turn,
           coalesce(n.edges, 0) AS edges
    FROM about AS a
    LEFT JOIN (SELECT question_id, count(*) AS edges FROM edge_unit GROUP BY question_id) AS n
      ON n.question_id = a.question_id
)
SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, kept, pruned_by
FROM edge_unit
UNION ALL
SELECT g.question_id, (g.edges + g.turn)::INTEGER, 'chunk', g.chunk_id, g.chunk_id, d.source, NULL::BIGINT, 'anchor', g.weight,
       NULL::DOUBLE, g.turn <= $anchor_reserve::INTEGER,
       CASE WHEN g.turn > $anchor_reserve::INTEGER THEN 'anchor_reserve' END
FROM paged AS g
JOIN chunk AS c ON c.chunk_id = g.chunk_id
JOIN document AS d ON d.document_id = c.document_id
ORDER BY question_id, rank
