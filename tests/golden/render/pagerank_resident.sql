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

-- walk: walk.pagerank
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH RECURSIVE walk (question_id, tail_id, round, settled, moving, parent_id, nodes, edges, cut, capped)
    USING KEY (question_id, tail_id) AS (
    SELECT question_id, item_id, 0, 0::BIGINT,
           1099511627776::BIGINT // count(*) OVER seeds
           + (row_number() OVER (seeds ORDER BY item_id) <= 1099511627776::BIGINT % count(*) OVER seeds)::BIGINT,
           NULL::BIGINT, [item_id], []::INTEGER[], false, false
    FROM (SELECT DISTINCT question_id, item_id FROM seed WHERE item_kind = 'node')
    WINDOW seeds AS (PARTITION BY question_id)
    UNION ALL
    SELECT question_id, tail_id, round, settled, moving, parent_id, nodes, edges, cut, capped
    FROM (
        WITH frontier AS (
            SELECT question_id, tail_id::BIGINT AS path_id, tail_id, round, settled, moving, parent_id, nodes, edges, capped,
                   floor(moving * $damping::DOUBLE)::BIGINT AS passing,
                   count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
            FROM walk
            WHERE round < $rank_rounds::INTEGER
              AND moving * $damping::DOUBLE >= $rank_cutoff::DOUBLE * 1099511627776.0::DOUBLE AND moving > 0
            QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY moving DESC, tail_id) <= $row_budget::INTEGER
        ), expansion AS (
            /*<expand>*/
            SELECT question_id, path_id, step.neighbour_id, step.edge_id, step.relation_id, step.forward
            FROM (
                SELECT question_id, path_id, unnest(adjacent(tail_id)) AS step
                FROM frontier
            )
/*</expand>*/
        ), step AS (
            SELECT x.question_id, x.path_id, x.neighbour_id, x.edge_id, f.passing,
                   row_number() OVER (one ORDER BY x.edge_id, x.neighbour_id) AS fan, count(*) OVER one AS fans
            FROM expansion AS x
            JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
            WHERE $direction::VARCHAR = 'either' OR x.forward = ($direction::VARCHAR = 'forward')
               OR x.neighbour_id = f.tail_id  -- a loop goes both ways
            WINDOW one AS (PARTITION BY x.question_id, x.path_id)
        ), part AS (
            SELECT question_id, path_id, neighbour_id, edge_id, fans > $fan_out::INTEGER AS capped,
                   passing // least(fans, $fan_out::INTEGER) AS mass
            FROM step
            WHERE fan <= $fan_out::INTEGER
              AND passing >= $rank_cutoff::DOUBLE * 1099511627776.0::DOUBLE * least(fans, $fan_out::INTEGER)
        ), pushed AS (
            SELECT question_id, path_id, sum(mass)::BIGINT AS mass, bool_or(capped) AS capped
            FROM part
            GROUP BY question_id, path_id
        ), received AS (
            SELECT question_id, neighbour_id, path_id, edge_id,
                   (sum(mass) OVER (PARTITION BY question_id, neighbour_id))::BIGINT AS mass
            FROM part
            QUALIFY row_number() OVER (PARTITION BY question_id, neighbour_id ORDER BY part.mass DESC, path_id, edge_id) = 1
        ), changed AS (
            SELECT question_id, path_id::INTEGER AS tail_id FROM pushed
            UNION
            SELECT question_id, neighbour_id FROM received
        )
        SELECT c.question_id, c.tail_id, n.round + 1 AS round,
               coalesce(o.settled, 0) + coalesce(o.moving - p.mass, 0) AS settled,
               CASE WHEN p.mass IS NULL THEN coalesce(o.moving, 0) ELSE 0 END + coalesce(r.mass, 0) AS moving,
               CASE WHEN o.tail_id IS NULL THEN r.path_id ELSE o.parent_id END AS parent_id,
               CASE WHEN o.tail_id IS NULL THEN list_append(f.nodes, c.tail_id) ELSE o.nodes END AS nodes,
               CASE WHEN o.tail_id IS NULL THEN list_append(f.edges, r.edge_id) ELSE o.edges END AS edges,
               coalesce(o.cut, false) OR n.cut AS cut,
               coalesce(o.capped, false) OR coalesce(p.capped, false) AS capped
        FROM changed AS c
        JOIN (SELECT question_id, any_value(round) AS round, bool_or(cut) AS cut FROM frontier GROUP BY question_id) AS n
          ON n.question_id = c.question_id
        LEFT JOIN recurring.walk AS o ON o.question_id = c.question_id AND o.tail_id = c.tail_id
        LEFT JOIN pushed AS p ON p.question_id = c.question_id AND p.path_id = c.tail_id
        LEFT JOIN received AS r ON r.question_id = c.question_id AND r.neighbour_id = c.tail_id
        LEFT JOIN frontier AS f ON f.question_id = r.question_id AND f.path_id = r.path_id
    )
), ranked AS (
    SELECT question_id, tail_id, round, settled + moving AS mass, parent_id, nodes, edges, cut, capped,
           array_length(edges) AS depth,
           moving * $damping::DOUBLE >= $rank_cutoff::DOUBLE * 1099511627776.0::DOUBLE AS moves,
           CASE WHEN array_length(edges) > 0 THEN row_number() OVER (
               PARTITION BY question_id, array_length(edges) > 0 ORDER BY settled + moving DESC, tail_id
           ) END AS rank
    FROM walk
)
SELECT question_id,
       depth::INTEGER AS depth,
       tail_id::BIGINT AS path_id,
       parent_id,
       'node' AS tail_kind,
       tail_id,
       nodes,
       edges,
       []::INTEGER[] AS chunks,
       mass / 1099511627776.0::DOUBLE AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       CASE WHEN rank <= $rank_limit::INTEGER THEN 'answer' ELSE 'pattern' END AS view,
       rank::INTEGER AS rank,
       coalesce(rank <= $rank_limit::INTEGER, true) AS kept,
       CASE WHEN rank > $rank_limit::INTEGER THEN 'rank_limit' END AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END,
                        CASE WHEN moves AND round >= $rank_rounds::INTEGER THEN 'rank_rounds' END), '') AS stopped
FROM ranked
WHERE coalesce(rank <= $rank_limit::INTEGER, true) OR capped OR $keep_pruned::BOOLEAN
ORDER BY question_id, rank NULLS FIRST, tail_id
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
