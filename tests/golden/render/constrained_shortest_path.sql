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

-- target: stage.target
CREATE OR REPLACE TEMPORARY VIEW target AS
SELECT question_id, unnest(targets, recursive := true)
FROM question;

-- page: stage.page
CREATE OR REPLACE TEMPORARY VIEW page AS
SELECT question_id, unnest(pages, recursive := true)
FROM question;

-- transition: stage.transition
CREATE OR REPLACE TEMPORARY VIEW transition AS
SELECT question_id, unnest(transitions, recursive := true)
FROM question;

-- arm: stage.arm
CREATE OR REPLACE TEMPORARY VIEW arm AS
SELECT question_id, unnest(arms, recursive := true)
FROM question;

-- base: seed.no_base
CREATE OR REPLACE TEMPORARY TABLE base AS
/*<rows>*/
SELECT question_id,
       NULL::INTEGER AS chunk_id,
       NULL::INTEGER AS group_id,
       NULL::BIGINT AS place,
       NULL::DOUBLE AS score,
       NULL::DOUBLE AS share_of_best,
       NULL::DOUBLE AS plain_score,
       NULL::DOUBLE AS lexical,
       NULL::DOUBLE AS cosine,
       NULL::DOUBLE AS title_weight,
       NULL::BIGINT AS covered
FROM question
WHERE false
/*</rows>*/;

-- seed: seed.node
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/
SELECT question_id,
       'node' AS item_kind,
       node_id AS item_id,
       group_id,
       weight AS score,
       'anchor: the question names it' AS why
FROM target
ORDER BY question_id, group_id, score DESC, item_id
/*</rows>*/;

-- reach: walk.reach
CREATE OR REPLACE TEMPORARY TABLE reach AS
/*<rows>*/
WITH RECURSIVE node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN (SELECT kind FROM transition WHERE state >= 0 AND kind IS NOT NULL) AS t ON t.kind = v.kind
), rule AS (  -- the automaton, and the automaton read backwards
    SELECT question_id, 1 AS side, state, relation_id, forward, kind, next_state, accepts
    FROM transition
    WHERE state >= 0
    UNION ALL
    SELECT question_id, 2, next_state, relation_id, NOT forward, kind, state, accepts
    FROM transition
    WHERE state >= 0
), anchor AS (  -- groups are numbered in the order of the question; the first two are the ends
    SELECT question_id, item_id, dense_rank() OVER (PARTITION BY question_id ORDER BY group_id)::INTEGER AS side
    FROM seed
    WHERE item_kind = 'node'
), ends AS (  -- state -1 is the entry: it says whether the empty path is accepted, and the first node's kind
    SELECT DISTINCT a.question_id, a.side, a.item_id, 0 AS state
    FROM anchor AS a
    JOIN node AS v ON v.node_id = a.item_id
    LEFT JOIN transition AS t ON t.question_id = a.question_id AND t.state = -1
    WHERE a.side = 1 AND (t.kind IS NULL OR list_contains(v.kinds, t.kind))
    UNION ALL
    SELECT DISTINCT a.question_id, a.side, a.item_id, t.next_state
    FROM anchor AS a
    JOIN transition AS t ON t.question_id = a.question_id AND t.accepts
    WHERE a.side = 2
), stride AS (  -- the longest path that the automaton accepts
    SELECT DISTINCT question_id, 0 AS state, 0 AS hops
    FROM transition
    UNION ALL
    SELECT DISTINCT s.question_id, t.next_state, s.hops + 1
    FROM stride AS s
    JOIN transition AS t ON t.question_id = s.question_id AND t.state = s.state
    WHERE s.hops < $max_depth::INTEGER
), longest AS (
    SELECT question_id, max(hops)::INTEGER AS hops
    FROM stride
    GROUP BY question_id
), search (question_id, side, tail_id, state, depth, path_id, cut) USING KEY (question_id, side, tail_id, state) AS (
    SELECT question_id, side, item_id, state, 0,
           side * 4398046511104::BIGINT + state * 4294967296::BIGINT + item_id, false
    FROM ends
    UNION ALL
    SELECT question_id, side, tail_id, state, depth, path_id, cut
    FROM (
        WITH live AS (  -- a search goes on while its last level found something
            SELECT DISTINCT question_id FROM search
        ), front AS (
            SELECT r.question_id, r.side, r.depth, count(*) AS nodes
            FROM recurring.search AS r
            SEMI JOIN live AS l ON l.question_id = r.question_id
            GROUP BY r.question_id, r.side, r.depth
            QUALIFY row_number() OVER (PARTITION BY r.question_id, r.side ORDER BY r.depth DESC) = 1
        ), turn AS (
            SELECT e.question_id, e.side, e.depth
            FROM front AS e
            JOIN longest AS g ON g.question_id = e.question_id
            QUALIFY count(*) OVER (PARTITION BY e.question_id) = 2
                AND sum(e.depth) OVER (PARTITION BY e.question_id) < g.hops
                AND row_number() OVER (PARTITION BY e.question_id ORDER BY e.nodes, e.side) = 1
        ), frontier AS (
            SELECT r.question_id, r.side, r.path_id, r.tail_id, r.state, r.depth
            FROM recurring.search AS r
            JOIN turn AS t ON t.question_id = r.question_id AND t.side = r.side AND t.depth = r.depth
        ), looked AS (
            /*<step>*/
            WITH expansion AS (
                /*<expand>*/
                SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
                FROM frontier AS f
                JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
            ), moved AS (
                SELECT f.question_id, f.path_id, x.neighbour_id,
                       CASE WHEN f.side = 1 THEN x.neighbour_id ELSE f.tail_id END AS test_id, r.kind, x.edge_id,
                       r.next_state, r.accepts, x.forward
                FROM expansion AS x
                JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
                JOIN rule AS r
                  ON r.question_id = f.question_id
                 AND r.side = f.side
                 AND r.state = f.state
                 AND (r.relation_id IS NULL OR r.relation_id = x.relation_id)
                 AND (r.forward IS NULL OR r.forward = x.forward)
                WHERE x.neighbour_id <> f.tail_id  -- no simple path takes a loop
            ), tested AS (
                /*<kind>*/
                SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
                FROM moved AS m
                LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
                WHERE m.kind IS NULL OR k.kind IS NOT NULL
            /*</kind>*/
            )
            SELECT f.question_id, f.side, f.path_id, f.tail_id AS node_id, f.state, f.depth, t.neighbour_id, t.next_state, t.edge_id,
                   (t.forward <> (f.side = 1))::INTEGER AS turned,
                   dense_rank() OVER (PARTITION BY t.question_id, t.path_id ORDER BY t.edge_id) AS fan
            FROM tested AS t
            JOIN frontier AS f ON f.question_id = t.question_id AND f.path_id = t.path_id
/*</step>*/
        ), fresh AS (
            SELECT DISTINCT k.question_id, k.side, k.neighbour_id, k.next_state, k.depth + 1 AS depth
            FROM looked AS k
            LEFT JOIN recurring.search AS seen
              ON seen.question_id = k.question_id AND seen.side = k.side AND seen.tail_id = k.neighbour_id
             AND seen.state = k.next_state
            WHERE seen.tail_id IS NULL AND k.fan <= $fan_out::INTEGER
        )
        SELECT question_id, side, neighbour_id AS tail_id, next_state AS state, depth,
               side * 4398046511104::BIGINT + next_state * 4294967296::BIGINT + neighbour_id AS path_id,
               count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
        FROM fresh
        QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY neighbour_id, next_state) <= $row_budget::INTEGER
    )
), level AS (  -- how deep each side came; one that found nothing further, though it was its turn, is known to its end
    SELECT s.question_id, s.side, s.depth, g.hops,
           sum(s.depth) OVER ends_of < g.hops AND count(*) OVER ends_of = 2
               AND row_number() OVER (PARTITION BY s.question_id ORDER BY s.nodes, s.side) = 1 AS ended
    FROM (
        SELECT question_id, side, depth, count(*) AS nodes
        FROM search
        GROUP BY question_id, side, depth
        QUALIFY row_number() OVER (PARTITION BY question_id, side ORDER BY depth DESC) = 1
    ) AS s
    JOIN longest AS g ON g.question_id = s.question_id
    WINDOW ends_of AS (PARTITION BY s.question_id)
)
SELECT s.question_id, s.side, s.tail_id AS node_id, s.state, s.depth, l.hops, s.depth < l.depth OR l.ended AS expanded, s.cut
FROM search AS s
JOIN level AS l ON l.question_id = s.question_id AND l.side = s.side
ORDER BY s.question_id, s.side, s.depth, s.tail_id, s.state
/*</rows>*/;

-- corridor: walk.corridor
CREATE OR REPLACE TEMPORARY TABLE corridor AS
/*<rows>*/
WITH RECURSIVE node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN (SELECT kind FROM transition WHERE state >= 0 AND kind IS NOT NULL) AS t ON t.kind = v.kind
), rule AS (  -- the automaton, and the automaton read backwards
    SELECT question_id, 1 AS side, state, relation_id, forward, kind, next_state, accepts
    FROM transition
    WHERE state >= 0
    UNION ALL
    SELECT question_id, 2, next_state, relation_id, NOT forward, kind, state, accepts
    FROM transition
    WHERE state >= 0
), frontier AS (
    SELECT question_id, side, side * 4398046511104::BIGINT + state * 4294967296::BIGINT + node_id AS path_id,
           node_id AS tail_id, state, depth
    FROM reach
    WHERE expanded
), looked AS MATERIALIZED (
    /*<step>*/
    WITH expansion AS (
        /*<expand>*/
        SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
        FROM frontier AS f
        JOIN adjacency AS a ON a.node_id = f.tail_id
    /*</expand>*/
    ), moved AS (
        SELECT f.question_id, f.path_id, x.neighbour_id,
               CASE WHEN f.side = 1 THEN x.neighbour_id ELSE f.tail_id END AS test_id, r.kind, x.edge_id,
               r.next_state, r.accepts, x.forward
        FROM expansion AS x
        JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
        JOIN rule AS r
          ON r.question_id = f.question_id
         AND r.side = f.side
         AND r.state = f.state
         AND (r.relation_id IS NULL OR r.relation_id = x.relation_id)
         AND (r.forward IS NULL OR r.forward = x.forward)
        WHERE x.neighbour_id <> f.tail_id  -- no simple path takes a loop
    ), tested AS (
        /*<kind>*/
        SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
        FROM moved AS m
        LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
        WHERE m.kind IS NULL OR k.kind IS NOT NULL
    /*</kind>*/
    )
    SELECT f.question_id, f.side, f.path_id, f.tail_id AS node_id, f.state, f.depth, t.neighbour_id, t.next_state, t.edge_id,
           (t.forward <> (f.side = 1))::INTEGER AS turned,
           dense_rank() OVER (PARTITION BY t.question_id, t.path_id ORDER BY t.edge_id) AS fan
    FROM tested AS t
    JOIN frontier AS f ON f.question_id = t.question_id AND f.path_id = t.path_id
/*</step>*/
), seen AS (  -- seen from both ends a step is one
    SELECT DISTINCT k.question_id, k.edge_id, k.turned,
           CASE WHEN k.side = 1 THEN k.node_id ELSE k.neighbour_id END AS node_id,
           CASE WHEN k.side = 1 THEN k.state ELSE k.next_state END AS state,
           CASE WHEN k.side = 1 THEN k.neighbour_id ELSE k.node_id END AS neighbour_id,
           CASE WHEN k.side = 1 THEN k.next_state ELSE k.state END AS next_state
    FROM looked AS k
    SEMI JOIN reach AS r
      ON r.question_id = k.question_id AND r.side = k.side AND r.node_id = k.neighbour_id AND r.state = k.next_state
    WHERE k.fan <= $fan_out::INTEGER
), ends AS (
    SELECT question_id, side, node_id, state, hops
    FROM reach
    WHERE depth = 0
), step AS (  -- it leaves an end only at the start, and arrives at one only where that accepts
    SELECT s.question_id, s.edge_id, s.turned, s.node_id, s.state, s.neighbour_id, s.next_state
    FROM seen AS s
    LEFT JOIN ends AS a
      ON a.question_id = s.question_id AND a.side = 1 AND a.node_id = s.node_id AND a.state = s.state
    LEFT JOIN ends AS b
      ON b.question_id = s.question_id AND b.side = 2 AND b.node_id = s.neighbour_id AND b.state = s.next_state
    LEFT JOIN (SELECT DISTINCT question_id, node_id FROM ends) AS c
      ON c.question_id = s.question_id AND c.node_id = s.node_id
    LEFT JOIN (SELECT DISTINCT question_id, node_id FROM ends) AS d
      ON d.question_id = s.question_id AND d.node_id = s.neighbour_id
    WHERE (c.node_id IS NULL OR a.node_id IS NOT NULL) AND (d.node_id IS NULL OR b.node_id IS NOT NULL)
), least (question_id, node_id, state, remaining) USING KEY (question_id, node_id, state) AS (
    SELECT question_id, node_id, state, 0 FROM ends WHERE side = 2
    UNION ALL
    SELECT question_id, node_id, state, remaining
    FROM (
        SELECT DISTINCT s.question_id, s.node_id, s.state, l.remaining + 1 AS remaining
        FROM least AS l
        JOIN step AS s ON s.question_id = l.question_id AND s.neighbour_id = l.node_id AND s.next_state = l.state
        LEFT JOIN recurring.least AS known
          ON known.question_id = s.question_id AND known.node_id = s.node_id AND known.state = s.state
        WHERE known.node_id IS NULL
    )
)
SELECT s.question_id, s.node_id, s.state, coalesce(r.depth, 0) AS depth, s.edge_id, s.neighbour_id, s.next_state, l.remaining,
       s.turned
FROM step AS s
JOIN least AS l ON l.question_id = s.question_id AND l.node_id = s.neighbour_id AND l.state = s.next_state
JOIN (SELECT DISTINCT question_id, hops FROM ends) AS h ON h.question_id = s.question_id
LEFT JOIN reach AS r ON r.question_id = s.question_id AND r.side = 1 AND r.node_id = s.node_id AND r.state = s.state
WHERE coalesce(r.depth, 0) + 1 + l.remaining <= h.hops
UNION ALL
SELECT DISTINCT question_id, node_id, state, depth, NULL::INTEGER, NULL::INTEGER, NULL::INTEGER, NULL::INTEGER,
       NULL::INTEGER
FROM looked
WHERE fan > $fan_out::INTEGER
ORDER BY question_id, node_id, state, edge_id, neighbour_id, next_state, depth
/*</rows>*/;

-- walk: walk.constrained_shortest_path
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
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
/*</rows>*/;

-- evidence: evidence.pattern
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/
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
    WITH unit AS (  -- each edge once, by the first path that holds it
        SELECT question_id, edge_id, first.place AS place, first.hop AS hop, first.path_id AS path_id, first.score AS score
        FROM (
            SELECT question_id, edge_id, min({'place': place, 'hop': hop, 'path_id': path_id, 'score': score}) AS first
            FROM (
                SELECT question_id, path_id, score, place, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
                FROM path
            )
            GROUP BY question_id, edge_id
        )
    ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place, hop, edge_id) AS rank
        FROM unit
    ), source AS (
        SELECT edge_id, min(chunk_id) AS chunk_id
        FROM edge_chunk
        GROUP BY edge_id
    )
    SELECT p.question_id,
           p.rank::INTEGER AS rank,
           'edge' AS unit_kind,
           p.edge_id AS unit_id,
           s.chunk_id,
           d.source,
           p.path_id,
           'path' AS role,
           p.score,
           NULL::DOUBLE AS cosine,
           p.rank <= $evidence_count::INTEGER AS kept,
           CASE WHEN p.rank > $evidence_count::INTEGER THEN 'evidence_count' END AS pruned_by
    FROM placed AS p
    LEFT JOIN source AS s ON s.edge_id = p.edge_id
    LEFT JOIN chunk AS c ON c.chunk_id = s.chunk_id
    LEFT JOIN document AS d ON d.document_id = c.document_id
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
/*</rows>*/;
