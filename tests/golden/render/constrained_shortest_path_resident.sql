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

-- walk: walk.constrained_shortest_path
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE ends AS (  -- groups are numbered in the order of the question; the first two are the ends
    SELECT question_id, item_id, dense_rank() OVER (PARTITION BY question_id ORDER BY group_id) AS side
    FROM seed
    WHERE item_kind = 'node'
), node_kind AS (
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN transition AS t ON t.kind = v.kind
), reach (question_id, tail_id, state, remaining, path_id) USING KEY (question_id, tail_id, state) AS (
    SELECT e.question_id, e.item_id, t.next_state, 0, t.next_state * 4294967296::BIGINT + e.item_id
    FROM ends AS e
    JOIN (SELECT DISTINCT question_id, next_state FROM transition WHERE accepts) AS t ON t.question_id = e.question_id
    WHERE e.side = 2
    UNION ALL
    SELECT question_id, tail_id, state, remaining, path_id
    FROM (
        WITH frontier AS (
            SELECT question_id, path_id, tail_id, state, remaining
            FROM reach
            WHERE remaining < $max_depth::INTEGER
        ), expansion AS (
            /*<expand>*/
            SELECT question_id, path_id, step.neighbour_id, step.edge_id, step.relation_id, step.forward
            FROM (
                SELECT question_id, path_id, unnest(adjacent(tail_id)) AS step
                FROM frontier
            )
/*</expand>*/
        )
        SELECT DISTINCT f.question_id, x.neighbour_id AS tail_id, t.state, f.remaining + 1 AS remaining,
               t.state * 4294967296::BIGINT + x.neighbour_id AS path_id
        FROM expansion AS x
        JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
        JOIN transition AS t  -- taken backwards: it arrives at the frontier's node
          ON t.question_id = f.question_id
         AND t.next_state = f.state
         AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
         AND (t.forward IS NULL OR t.forward <> x.forward)
        LEFT JOIN node_kind AS k ON k.node_id = f.tail_id AND k.kind = t.kind
        LEFT JOIN recurring.reach AS seen
          ON seen.question_id = f.question_id AND seen.tail_id = x.neighbour_id AND seen.state = t.state
        WHERE seen.tail_id IS NULL AND (t.kind IS NULL OR k.kind IS NOT NULL)
    )
), walk AS (
    SELECT e.question_id, e.item_id AS tail_id, 0 AS state, 0 AS depth, e.item_id::BIGINT AS path_id,
           NULL::BIGINT AS parent_id, [e.item_id] AS nodes, []::INTEGER[] AS edges, false AS accepted,
           0::BIGINT AS found, false AS cut,
           e.item_id::BIGINT AS route  -- the path whatever its state: two runs of the pattern over one path are one route
    FROM ends AS e
    WHERE e.side = 1
    UNION ALL
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, found, cut, route
    FROM (
        WITH frontier AS (  -- a level is finished before the next: with enough paths found, no longer ones are tried
            SELECT question_id, path_id, tail_id, state, depth, nodes, edges, found, route
            FROM walk
            WHERE depth < $max_depth::INTEGER AND found < $path_limit::INTEGER AND NOT accepted
        ), expansion AS (
            /*<expand>*/
            SELECT question_id, path_id, step.neighbour_id, step.edge_id, step.relation_id, step.forward
            FROM (
                SELECT question_id, path_id, unnest(adjacent(tail_id)) AS step
                FROM frontier
            )
/*</expand>*/
        ), moved AS (
            SELECT f.question_id, x.neighbour_id, t.next_state, x.edge_id,
                   f.path_id, f.depth, f.nodes, f.edges, f.found, f.route,
                   t.accepts AND r.remaining = 0 AS accepted,
                   -- a path that one run accepts ends there, the others go with it
                   bool_or(t.accepts AND r.remaining = 0) OVER (PARTITION BY f.question_id, f.route, x.edge_id) AS arrives
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            JOIN transition AS t
              ON t.question_id = f.question_id
             AND t.state = f.state
             AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
             AND (t.forward IS NULL OR t.forward = x.forward)
            JOIN reach AS r  -- the corridor
              ON r.question_id = f.question_id AND r.tail_id = x.neighbour_id AND r.state = t.next_state
             AND f.depth + 1 + r.remaining <= $max_depth::INTEGER
            LEFT JOIN node_kind AS k ON k.node_id = x.neighbour_id AND k.kind = t.kind
            WHERE NOT list_contains(f.nodes, x.neighbour_id) AND (t.kind IS NULL OR k.kind IS NOT NULL)
        ), single AS (  -- each route once where it is accepted, else once per state
            SELECT *
            FROM moved
            WHERE accepted = arrives
            QUALIFY row_number() OVER (
                PARTITION BY question_id, route, edge_id, if(accepted, -1, next_state) ORDER BY path_id, next_state
            ) = 1
        ), placed AS (
            SELECT *,
                   row_number() OVER (PARTITION BY question_id ORDER BY route, edge_id, next_state) AS place,
                   dense_rank() OVER (PARTITION BY question_id ORDER BY route, edge_id) AS new_route
            FROM single
        )
        SELECT p.question_id, p.neighbour_id AS tail_id, p.next_state AS state, p.depth + 1 AS depth,
               (p.depth + 1) * 4294967296::BIGINT + p.place AS path_id, p.path_id AS parent_id,
               list_append(p.nodes, p.neighbour_id) AS nodes,
               list_append(p.edges, p.edge_id) AS edges,
               p.accepted,
               p.found + count(*) FILTER (p.accepted AND p.place <= $row_budget::INTEGER)
                             OVER (PARTITION BY p.question_id) AS found,
               count(*) OVER (PARTITION BY p.question_id) > $row_budget::INTEGER AS cut,
               (p.depth + 1) * 4294967296::BIGINT + p.new_route AS route
        FROM placed AS p
        QUALIFY p.place <= $row_budget::INTEGER
    )
), scored AS (  -- of equal length, the path through less common nodes
    SELECT w.question_id, w.path_id, avg(v.specificity)::DOUBLE / 65536.0 AS specificity
    FROM (SELECT question_id, path_id, unnest(nodes) AS node_id FROM walk WHERE accepted) AS w
    JOIN node AS v ON v.node_id = w.node_id
    GROUP BY w.question_id, w.path_id
), ranked AS (
    SELECT w.*, s.specificity,
           CASE WHEN w.accepted THEN row_number() OVER (
               PARTITION BY w.question_id, w.accepted
               ORDER BY w.depth, round(coalesce(s.specificity, 0), 6) DESC, w.nodes, w.edges
           ) END AS rank
    FROM walk AS w
    LEFT JOIN scored AS s ON s.question_id = w.question_id AND s.path_id = w.path_id
)
SELECT question_id,
       depth,
       path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes, edges,
       []::INTEGER[] AS chunks,
       1.0::DOUBLE / (1 + depth) AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': specificity,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       CASE WHEN accepted THEN 'answer' ELSE 'pattern' END AS view,
       rank::INTEGER AS rank,
       coalesce(rank <= $path_limit::INTEGER, NOT accepted) AS kept,
       CASE WHEN rank > $path_limit::INTEGER THEN 'path_limit' END AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN cut THEN 'row_budget' WHEN found >= $path_limit::INTEGER THEN 'path_limit' END AS stopped
FROM ranked
WHERE accepted OR $keep_pruned::BOOLEAN OR depth = 0
ORDER BY question_id, depth, path_id
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
               PARTITION BY w.question_id ORDER BY if(t.turn IS NULL, 0, w.depth), t.turn, w.rank
           ) AS place
    FROM walk AS w
    LEFT JOIN turn AS t ON t.question_id = w.question_id AND t.path_id = w.path_id
    WHERE w.depth > 0 AND w.kept AND w.rank IS NOT NULL
), unit AS (
    SELECT question_id, path_id, score, place, edge_id, hop
    FROM (
        SELECT question_id, path_id, score, place, unnest(edges) AS edge_id, generate_subscripts(edges, 1) AS hop
        FROM path
    )
    QUALIFY row_number() OVER (PARTITION BY question_id, edge_id ORDER BY place, hop) = 1
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place, hop, edge_id) AS rank
    FROM unit
), source AS (
    SELECT edge_id, min(chunk_id) AS chunk_id
    FROM edge_chunk
    GROUP BY edge_id
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
    LEFT JOIN (SELECT question_id, count(*) AS edges FROM placed GROUP BY question_id) AS n
      ON n.question_id = a.question_id
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
UNION ALL
SELECT g.question_id, (g.edges + g.turn)::INTEGER, 'chunk', g.chunk_id, g.chunk_id, d.source, NULL::BIGINT, 'anchor', g.weight,
       NULL::DOUBLE, g.turn <= $anchor_reserve::INTEGER,
       CASE WHEN g.turn > $anchor_reserve::INTEGER THEN 'anchor_reserve' END
FROM paged AS g
JOIN chunk AS c ON c.chunk_id = g.chunk_id
JOIN document AS d ON d.document_id = c.document_id
ORDER BY question_id, rank
/*</rows>*/;
