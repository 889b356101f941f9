-- name: walk.constrained_shortest_path
-- doc: The `path_limit` shortest simple paths between the first two targets whose relations a pattern accepts; any, for
--   `shortest_path`. No two pass the same nodes in the same order: of parallel edges a path takes those that point along
--   it, then the lowest ids. Best first inside the corridor: what is grown next has the least hops done and remaining, so
--   no path is longer than needed. Of equal length, first the one through less common nodes, then by ids.
-- params: path_limit INTEGER, row_budget INTEGER, keep_pruned BOOLEAN
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, rank, path_id
WITH RECURSIVE step AS MATERIALIZED (  -- of parallel edges one
    SELECT question_id, node_id, state, edge_id, neighbour_id, next_state, remaining, turned
    FROM corridor
    WHERE edge_id IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY question_id, node_id, state, neighbour_id, next_state ORDER BY turned, edge_id
    ) = 1
), start AS (  -- one that is also the other end is a path of no steps where the pattern accepts that
    SELECT a.question_id, a.node_id, a.state, b.node_id IS NOT NULL AND t.accepts AS accepted,
           row_number() OVER (PARTITION BY a.question_id ORDER BY a.node_id) AS place
    FROM reach AS a
    LEFT JOIN (SELECT DISTINCT question_id, node_id FROM reach WHERE side = 2 AND depth = 0) AS b
      ON b.question_id = a.question_id AND b.node_id = a.node_id
    LEFT JOIN transition AS t ON t.question_id = a.question_id AND t.state = -1
    WHERE a.side = 1 AND a.depth = 0
), walk (question_id, path_id, parent_id, tail_id, state, depth, least, nodes, edges, turned, accepted, open, round, cut)
    USING KEY (question_id, path_id) AS (
    SELECT question_id, place, NULL::BIGINT, node_id, state, 0, 0, [node_id], []::INTEGER[], 0,
           coalesce(accepted, false), true, 0::BIGINT, false
    FROM start
    UNION ALL
    SELECT question_id, path_id, parent_id, tail_id, state, depth, least, nodes, edges, turned, accepted, open, round, cut
    FROM (
        WITH live AS (
            SELECT question_id, max(round) + 1 AS round FROM walk GROUP BY question_id
        ), bound AS (  -- the least length that an open path can still have
            SELECT r.question_id, any_value(l.round) AS round, count(*) AS carried, min(r.least) FILTER (r.open) AS least
            FROM recurring.walk AS r
            JOIN live AS l ON l.question_id = r.question_id
            GROUP BY r.question_id
        ), enough AS (  -- with `path_limit` shorter ones found, none is grown any more
            SELECT r.question_id
            FROM recurring.walk AS r
            JOIN bound AS b ON b.question_id = r.question_id
            WHERE r.accepted AND r.depth < b.least
            GROUP BY r.question_id
            HAVING count(DISTINCT r.nodes) >= any_value($path_limit::INTEGER)
        ), frontier AS (
            SELECT w.question_id, w.path_id, w.parent_id, w.tail_id, w.state, w.depth, w.least, w.nodes, w.edges, w.turned,
                   w.accepted, w.cut, b.round, b.carried, h.hops
            FROM recurring.walk AS w
            JOIN bound AS b ON b.question_id = w.question_id AND b.least = w.least
            JOIN (SELECT DISTINCT question_id, hops FROM reach) AS h ON h.question_id = w.question_id
            ANTI JOIN enough AS e ON e.question_id = w.question_id
            WHERE w.open
        ), grown AS (
            SELECT f.question_id, f.path_id AS parent_id, s.neighbour_id, s.next_state, f.depth + 1 AS depth,
                   f.depth + 1 + s.remaining AS least, f.nodes, f.edges, f.turned + s.turned AS turned, s.edge_id,
                   s.remaining = 0 AS accepted, f.round, f.carried,
                   row_number() OVER (
                       PARTITION BY f.question_id ORDER BY s.remaining, f.path_id, s.edge_id, s.next_state
                   ) AS place,
                   f.carried + count(*) OVER (PARTITION BY f.question_id) > $row_budget::INTEGER AS cut
            FROM frontier AS f
            JOIN step AS s ON s.question_id = f.question_id AND s.node_id = f.tail_id AND s.state = f.state
            WHERE NOT list_contains(f.nodes, s.neighbour_id) AND f.depth + 1 + s.remaining <= f.hops
        )
        SELECT question_id, round * 4294967296::BIGINT + place AS path_id, parent_id, neighbour_id AS tail_id,
               next_state AS state, depth, least, list_append(nodes, neighbour_id) AS nodes,
               list_append(edges, edge_id) AS edges, turned, accepted, NOT accepted AS open, round, cut
        FROM grown
        WHERE carried + place <= $row_budget::INTEGER
        UNION ALL
        SELECT f.question_id, f.path_id, f.parent_id, f.tail_id, f.state, f.depth, f.least, f.nodes, f.edges, f.turned,
               f.accepted, false, f.round, f.cut OR coalesce(g.cut, false)
        FROM frontier AS f
        LEFT JOIN (SELECT DISTINCT question_id, cut FROM grown) AS g ON g.question_id = f.question_id
    )
), single AS (  -- two runs of the pattern over the same nodes are one path
    SELECT *
    FROM walk
    QUALIFY NOT accepted OR row_number() OVER (
        PARTITION BY question_id, accepted, nodes ORDER BY turned, edges, path_id
    ) = 1
), scored AS (  -- of equal length, the path through less common nodes
    SELECT w.question_id, w.path_id, avg(v.specificity)::DOUBLE / 65536.0 AS specificity
    FROM (SELECT question_id, path_id, unnest(nodes) AS node_id FROM single WHERE accepted) AS w
    JOIN node AS v ON v.node_id = w.node_id
    GROUP BY w.question_id, w.path_id
), ranked AS (
    SELECT w.*, s.specificity,
           CASE WHEN w.accepted THEN row_number() OVER (
               PARTITION BY w.question_id, w.accepted
               ORDER BY w.depth, round(coalesce(s.specificity, 0), 6) DESC, w.nodes
           ) END AS rank
    FROM single AS w
    LEFT JOIN scored AS s ON s.question_id = w.question_id AND s.path_id = w.path_id
), total AS (
    SELECT question_id, max(depth) FILTER (rank <= $path_limit::INTEGER) AS longest,
           concat_ws(' ', CASE WHEN bool_or(cut) THEN 'row_budget' END,
                     max(CASE WHEN rank >= $path_limit::INTEGER THEN 'path_limit' END)) AS stopped
    FROM (
        SELECT question_id, depth, rank, cut FROM ranked
        UNION ALL
        SELECT question_id, NULL, NULL, cut FROM reach
    )
    GROUP BY question_id
), told AS (
    SELECT r.question_id, r.depth, r.path_id, r.parent_id, r.tail_id, r.nodes, r.edges, r.specificity, r.accepted, r.rank,
           CASE WHEN r.rank > $path_limit::INTEGER THEN 'path_limit' END AS pruned_by, t.stopped
    FROM ranked AS r
    JOIN total AS t ON t.question_id = r.question_id
    WHERE CASE WHEN r.accepted THEN r.depth <= t.longest ELSE $keep_pruned::BOOLEAN OR r.depth = 0 END
    UNION ALL
    SELECT question_id, min(depth), -1 - node_id::BIGINT, NULL, node_id, [node_id], []::INTEGER[], NULL, false, NULL,
           'fan_out', 'fan_out'
    FROM corridor
    WHERE edge_id IS NULL
    GROUP BY question_id, node_id
)
SELECT question_id,
       depth,
       path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes,
       edges,
       []::INTEGER[] AS chunks,
       1.0::DOUBLE / (1 + depth) AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       CASE WHEN accepted THEN 'answer' ELSE 'pattern' END AS view,
       rank::INTEGER AS rank,
       pruned_by IS NULL AS kept,
       pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(stopped, '') AS stopped
FROM told
ORDER BY question_id, depth, rank NULLS FIRST, path_id
