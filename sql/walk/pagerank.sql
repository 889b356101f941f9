-- name: walk.pagerank
-- doc: Personalized PageRank from the seeds by pushing (Andersen, Chung, Lang 2006): a node passes `damping` of what has
--   come to it in equal parts over its steps and keeps the rest, as long as each part is at least `rank_cutoff` of the
--   whole. Mass is an integer, 2^40 in all, so nothing is lost and any number of threads gives the same. The answers are
--   the `rank_limit` nodes with most mass, seeds left out; the path is the one that first brought mass, of several the
--   heaviest.
-- params: damping DOUBLE, rank_cutoff DOUBLE, rank_rounds INTEGER, rank_limit INTEGER, fan_out INTEGER,
--   row_budget INTEGER, direction VARCHAR, keep_pruned BOOLEAN
-- slots: expand
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, rank, path_id
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
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
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
