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

-- walk: walk.unrolled
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/
WITH node_kind AS (  -- of the kinds that are tested; none are read where the pattern tests none
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN (SELECT kind FROM transition WHERE state >= 0 AND kind IS NOT NULL) AS t ON t.kind = v.kind
), start AS (
    /*<start>*/
    SELECT DISTINCT question_id, item_id, 0 AS state, CASE WHEN group_id IS NOT NULL THEN 2147483647 END AS last_state,
           false AS accepts
    FROM seed
    WHERE item_kind = 'node'
/*</start>*/
), level AS MATERIALIZED (
    /*<level>*/
    WITH sofar AS MATERIALIZED (
        /*<before>*/
        WITH sofar AS MATERIALIZED (
            /*<before>*/
            SELECT question_id, item_id AS tail_id, state, 0 AS depth, state * 4294967296::BIGINT + item_id AS path_id,
                   NULL::BIGINT AS parent_id, [item_id] AS nodes, []::INTEGER[] AS edges, accepts AS accepted, false AS cut,
                   false AS capped, true AS is_last
            FROM start
        /*</before>*/
        ), frontier AS MATERIALIZED (
            SELECT question_id, path_id, parent_id, tail_id, state, depth, nodes, edges, accepted, cut
            FROM sofar
            WHERE is_last AND depth < $max_depth::INTEGER
        ), seen AS (
            SELECT question_id, tail_id, state FROM sofar
        )
        SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, false AS is_last
        FROM sofar
        UNION ALL
        SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, NOT capped AS is_last
        FROM (
            /*<step>*/
            WITH expansion AS (
                /*<expand>*/
                SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
                FROM frontier AS f
                JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
            ), moved AS (  -- the number of a path tells its state and its tail
                SELECT x.question_id, x.path_id, x.neighbour_id, x.neighbour_id AS test_id, t.kind, x.edge_id, t.next_state, t.accepts,
                       x.forward
                FROM (
                    SELECT *, (path_id >> 32)::INTEGER AS state, (path_id & 4294967295)::INTEGER AS tail_id
                    FROM expansion
                ) AS x
                JOIN transition AS t
                  ON t.question_id = x.question_id
                 AND t.state = x.state
                 AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
                 AND (t.forward IS NULL OR t.forward = x.forward OR x.neighbour_id = x.tail_id)  -- a loop goes both ways
            ), tested AS (
                /*<kind>*/
                SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
                FROM moved AS m
                LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
                WHERE m.kind IS NULL OR k.kind IS NOT NULL
            /*</kind>*/
            ), fresh AS (
                SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts
                FROM tested AS m
                ANTI JOIN start AS s
                  ON s.question_id = m.question_id AND s.item_id = m.neighbour_id AND m.next_state BETWEEN s.state AND s.last_state
                LEFT JOIN seen AS e ON e.question_id = m.question_id AND e.tail_id = m.neighbour_id AND e.state = m.next_state
                WHERE e.tail_id IS NULL
            ), capped AS (  -- nodes with too many new steps, and the last edge that they take
                /*<capped>*/
                SELECT question_id, path_id, list_sort(list_distinct(list(edge_id)))[$fan_out::INTEGER] AS last_edge_id
                FROM fresh
                GROUP BY question_id, path_id
                HAVING count(*) > $fan_out::INTEGER AND len(list_distinct(list(edge_id))) > $fan_out::INTEGER
                /*</capped>*/
            ), chosen AS (  -- of several ways to a node and state the one from the lowest path, then over the lowest edge
                SELECT f.question_id, f.neighbour_id, f.next_state, f.accepts, min({'path_id': f.path_id, 'edge_id': f.edge_id}) AS way
                FROM fresh AS f
                LEFT JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
                WHERE f.edge_id <= coalesce(c.last_edge_id, f.edge_id)
                GROUP BY f.question_id, f.neighbour_id, f.next_state, f.accepts
            )
            SELECT c.question_id,
                   c.neighbour_id AS tail_id,
                   c.next_state AS state,
                   f.depth + 1 AS depth,
                   c.next_state * 4294967296::BIGINT + c.neighbour_id AS path_id,
                   f.path_id AS parent_id,
                   list_append(f.nodes, c.neighbour_id) AS nodes,
                   list_append(f.edges, c.way.edge_id) AS edges,
                   c.accepts AS accepted,
                   c.cut,
                   false AS capped
            FROM (
                SELECT *, count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
                FROM chosen
                QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY way, next_state) <= $row_budget::INTEGER
            ) AS c
            JOIN frontier AS f ON f.question_id = c.question_id AND f.path_id = c.way.path_id
            UNION ALL
            SELECT f.question_id, f.tail_id, f.state, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.accepted, f.cut, true
            FROM frontier AS f
            SEMI JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
        /*</step>*/
        )
    /*</before>*/
    ), frontier AS MATERIALIZED (
        SELECT question_id, path_id, parent_id, tail_id, state, depth, nodes, edges, accepted, cut
        FROM sofar
        WHERE is_last AND depth < $max_depth::INTEGER
    ), seen AS (
        SELECT question_id, tail_id, state FROM sofar
    )
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, false AS is_last
    FROM sofar
    UNION ALL
    SELECT question_id, tail_id, state, depth, path_id, parent_id, nodes, edges, accepted, cut, capped, NOT capped AS is_last
    FROM (
        /*<step>*/
        WITH expansion AS (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
        /*</expand>*/
        ), moved AS (  -- the number of a path tells its state and its tail
            SELECT x.question_id, x.path_id, x.neighbour_id, x.neighbour_id AS test_id, t.kind, x.edge_id, t.next_state, t.accepts,
                   x.forward
            FROM (
                SELECT *, (path_id >> 32)::INTEGER AS state, (path_id & 4294967295)::INTEGER AS tail_id
                FROM expansion
            ) AS x
            JOIN transition AS t
              ON t.question_id = x.question_id
             AND t.state = x.state
             AND (t.relation_id IS NULL OR t.relation_id = x.relation_id)
             AND (t.forward IS NULL OR t.forward = x.forward OR x.neighbour_id = x.tail_id)  -- a loop goes both ways
        ), tested AS (
            /*<kind>*/
            SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts, m.forward
            FROM moved AS m
            LEFT JOIN node_kind AS k ON k.node_id = m.test_id AND k.kind = m.kind
            WHERE m.kind IS NULL OR k.kind IS NOT NULL
        /*</kind>*/
        ), fresh AS (
            SELECT m.question_id, m.path_id, m.neighbour_id, m.edge_id, m.next_state, m.accepts
            FROM tested AS m
            ANTI JOIN start AS s
              ON s.question_id = m.question_id AND s.item_id = m.neighbour_id AND m.next_state BETWEEN s.state AND s.last_state
            LEFT JOIN seen AS e ON e.question_id = m.question_id AND e.tail_id = m.neighbour_id AND e.state = m.next_state
            WHERE e.tail_id IS NULL
        ), capped AS (  -- nodes with too many new steps, and the last edge that they take
            /*<capped>*/
            SELECT question_id, path_id, list_sort(list_distinct(list(edge_id)))[$fan_out::INTEGER] AS last_edge_id
            FROM fresh
            GROUP BY question_id, path_id
            HAVING count(*) > $fan_out::INTEGER AND len(list_distinct(list(edge_id))) > $fan_out::INTEGER
            /*</capped>*/
        ), chosen AS (  -- of several ways to a node and state the one from the lowest path, then over the lowest edge
            SELECT f.question_id, f.neighbour_id, f.next_state, f.accepts, min({'path_id': f.path_id, 'edge_id': f.edge_id}) AS way
            FROM fresh AS f
            LEFT JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
            WHERE f.edge_id <= coalesce(c.last_edge_id, f.edge_id)
            GROUP BY f.question_id, f.neighbour_id, f.next_state, f.accepts
        )
        SELECT c.question_id,
               c.neighbour_id AS tail_id,
               c.next_state AS state,
               f.depth + 1 AS depth,
               c.next_state * 4294967296::BIGINT + c.neighbour_id AS path_id,
               f.path_id AS parent_id,
               list_append(f.nodes, c.neighbour_id) AS nodes,
               list_append(f.edges, c.way.edge_id) AS edges,
               c.accepts AS accepted,
               c.cut,
               false AS capped
        FROM (
            SELECT *, count(*) OVER (PARTITION BY question_id) > $row_budget::INTEGER AS cut
            FROM chosen
            QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY way, next_state) <= $row_budget::INTEGER
        ) AS c
        JOIN frontier AS f ON f.question_id = c.question_id AND f.path_id = c.way.path_id
        UNION ALL
        SELECT f.question_id, f.tail_id, f.state, f.depth, f.path_id, f.parent_id, f.nodes, f.edges, f.accepted, f.cut, true
        FROM frontier AS f
        SEMI JOIN capped AS c ON c.question_id = f.question_id AND c.path_id = f.path_id
    /*</step>*/
    )
/*</level>*/
), walked AS (  -- a path that is given again, capped, is that one
    SELECT l.question_id, l.tail_id, l.state, l.depth, l.path_id, l.parent_id, l.nodes, l.edges, l.accepted, l.cut, l.capped
    FROM level AS l
    ANTI JOIN (SELECT question_id, path_id FROM level WHERE capped) AS c
      ON c.question_id = l.question_id AND c.path_id = l.path_id AND NOT l.capped
)
/*<found>*/
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
       CASE WHEN answers THEN 'answer' ELSE 'pattern' END AS view,
       CASE WHEN answers THEN row_number() OVER (
           PARTITION BY question_id ORDER BY NOT answers, depth, tail_id
       ) END::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       nullif(concat_ws(' ', CASE WHEN cut THEN 'row_budget' END, CASE WHEN capped THEN 'fan_out' END), '') AS stopped
FROM (  -- of the paths to a node the first that is accepted; one window over all rows, since each part of one costs time
    SELECT *, accepted AND (question_id, tail_id) IS DISTINCT FROM lag((question_id, tail_id)) OVER (
               ORDER BY question_id, tail_id, NOT accepted, depth, state
           ) AS answers
    FROM walked
)
ORDER BY question_id, depth, path_id
/*</found>*/
/*</rows>*/;

-- evidence: evidence.path
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/
WITH path AS (
    SELECT question_id, path_id, edges, score, rank AS place
    FROM walk
    WHERE depth > 0 AND kept AND rank IS NOT NULL
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
)
SELECT question_id, rank, unit_kind, unit_id, chunk_id, source, path_id, role, score, cosine, kept, pruned_by
FROM edge_unit
ORDER BY question_id, rank
/*</rows>*/;
