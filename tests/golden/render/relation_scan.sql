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

-- walk: walk.relation_scan
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH node_kind AS (
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN transition AS t ON t.kind = v.kind
), arrived AS (  -- an edge that a pattern takes both ways counts at either end
    SELECT t.question_id, w.forward, e.edge_id, t.kind,
           CASE WHEN w.forward THEN e.source_id ELSE e.target_id END AS start_id,
           CASE WHEN w.forward THEN e.target_id ELSE e.source_id END AS node_id
    FROM transition AS t
    CROSS JOIN (VALUES (true), (false)) AS w (forward)
    JOIN edge AS e ON t.relation_id IS NULL OR e.relation_id = t.relation_id
    WHERE t.state = 0 AND t.accepts AND (t.forward IS NULL OR t.forward = w.forward)
), counted AS (  -- the edge of the lowest id is the witness
    SELECT a.question_id,
           a.node_id,
           count(DISTINCT a.edge_id) AS edge_count,
           min(a.edge_id) AS edge_id,
           arg_min(a.start_id, a.edge_id * 2::BIGINT + a.forward::BIGINT) AS start_id
    FROM arrived AS a
    LEFT JOIN node_kind AS k ON k.node_id = a.node_id AND k.kind = a.kind
    WHERE a.kind IS NULL OR k.kind IS NOT NULL
    GROUP BY a.question_id, a.node_id
), ranked AS (
    SELECT *,
           row_number() OVER (PARTITION BY question_id ORDER BY edge_count DESC, node_id) AS place,
           count(*) OVER (PARTITION BY question_id) AS found
    FROM counted
)
SELECT question_id,
       1 AS depth,
       node_id::BIGINT AS path_id,
       NULL::BIGINT AS parent_id,
       'node' AS tail_kind,
       node_id AS tail_id,
       [start_id, node_id] AS nodes,
       [edge_id] AS edges,
       []::INTEGER[] AS chunks,
       edge_count::DOUBLE AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       'answer' AS view,
       place::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN found > $row_budget::INTEGER THEN 'row_budget' END AS stopped
FROM ranked
WHERE place <= $row_budget::INTEGER
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
