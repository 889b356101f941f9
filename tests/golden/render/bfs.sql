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

-- walk: walk.bfs
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE walk (question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, capped)
    USING KEY (question_id, tail_id) AS (
    SELECT question_id, item_id, 0, item_id::BIGINT, NULL::BIGINT, [item_id], []::INTEGER[], false, false
    FROM (SELECT DISTINCT question_id, item_id FROM seed WHERE item_kind = 'node')
    UNION ALL
    SELECT question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, capped
    FROM (
        WITH frontier AS (
            SELECT question_id, path_id, parent_id, tail_id, depth, nodes, edges, cut
            FROM walk
            WHERE depth < $max_depth::INTEGER AND NOT capped
        ), expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
/*</expand>*/
        ), fresh AS (  -- not reached before; of several edges the one from the lowest node, then the lowest edge
            SELECT f.question_id, x.neighbour_id, x.edge_id, f.path_id, f.depth, f.nodes, f.edges,
                   row_number() OVER (PARTITION BY x.question_id, x.path_id ORDER BY x.edge_id, x.neighbour_id) AS fan
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            LEFT JOIN recurring.walk AS seen ON seen.question_id = x.question_id AND seen.tail_id = x.neighbour_id
            WHERE seen.tail_id IS NULL
              AND ($direction::VARCHAR = 'either' OR x.forward = ($direction::VARCHAR = 'forward'))
        ), chosen AS (
            SELECT *,
                   row_number() OVER (PARTITION BY question_id, neighbour_id ORDER BY path_id, edge_id) AS turn
            FROM fresh
            WHERE fan <= $fan_out::INTEGER
        )
        SELECT question_id, tail_id, depth, path_id, parent_id, nodes, edges, cut, false AS capped
        FROM (
            SELECT c.question_id,
                   c.neighbour_id AS tail_id,
                   c.depth + 1 AS depth,
                   c.neighbour_id::BIGINT AS path_id,
                   c.path_id AS parent_id,
                   list_append(c.nodes, c.neighbour_id) AS nodes,
                   list_append(c.edges, c.edge_id) AS edges,
                   count(*) OVER (PARTITION BY c.question_id) > $row_budget::INTEGER AS cut
            FROM chosen AS c
            WHERE c.turn = 1
            QUALIFY row_number() OVER (PARTITION BY c.question_id ORDER BY c.path_id, c.edge_id) <= $row_budget::INTEGER
        )
        UNION ALL
        SELECT f.question_id, f.tail_id, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.cut, true
        FROM frontier AS f
        SEMI JOIN fresh AS x ON x.question_id = f.question_id AND x.path_id = f.path_id AND x.fan > $fan_out::INTEGER
    )
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
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       'pattern' AS view,
       row_number() OVER (PARTITION BY question_id ORDER BY depth, tail_id)::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END,
                        CASE WHEN NOT cut AND depth >= $max_depth::INTEGER THEN 'max_depth' END), '') AS stopped
FROM walk
ORDER BY question_id, depth, tail_id
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
