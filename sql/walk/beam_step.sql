-- name: walk.beam_step
-- doc: One depth of the beam: kept paths grow by an edge, paths that join the regions of two targets come in where they
--   are as long, all are scored and pruned together. `beam_scope` is one pool per depth, or one per seed.
-- params: max_depth INTEGER, fan_out INTEGER, beam_scope VARCHAR, beam_width INTEGER, evidence_count INTEGER,
--   completeness_floor DOUBLE, stop_regime VARCHAR, keep_pruned BOOLEAN
-- slots: expand, hop, grow, score
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_id INTEGER, seed_group
--   INTEGER, nodes INTEGER[], edges INTEGER[], relations INTEGER[], sums STRUCT(relation DOUBLE, aim DOUBLE,
--   specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, first DOUBLE, last DOUBLE, repeated
--   DOUBLE, question_like DOUBLE), score DOUBLE, terms STRUCT(relation_similarity DOUBLE, target_relevance DOUBLE,
--   specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE,
--   repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR,
--   rank BIGINT, kept BOOLEAN, pruned_by VARCHAR, seen_nodes INTEGER[], seen_edges INTEGER[], targets BIGINT, facets
--   BIGINT, gain DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: none
WITH frontier AS (
    SELECT question_id, depth, path_id, tail_id, seed_group, nodes, edges, relations, sums, seen_nodes, seen_edges, targets,
           facets
    FROM walk
    WHERE kept AND stopped IS NULL AND depth < $max_depth::INTEGER
), expansion AS MATERIALIZED (
    /*<expand>*/
    SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
    FROM frontier AS f
    JOIN adjacency AS a ON a.node_id = f.tail_id
    /*</expand>*/
), hop AS (
    /*<hop>*/
    SELECT x.question_id, x.path_id, x.neighbour_id, x.edge_id, x.relation_id, 0.0::DOUBLE AS relation, 0.0::DOUBLE AS aligned,
           0 AS anchored, 0.0::DOUBLE AS similarity, 0.0::DOUBLE AS relevance, 0.0::DOUBLE AS specificity,
           0.0::DOUBLE AS hub_exposure, 0.0::DOUBLE AS question_like, 0::BIGINT AS targets, 0::BIGINT AS facets
    FROM expansion AS x
    /*</hop>*/
), chosen AS (
    SELECT *
    FROM hop
    QUALIFY row_number() OVER (
        PARTITION BY question_id, path_id ORDER BY relation DESC, similarity DESC, edge_id
    ) <= $fan_out::INTEGER
), grown AS (
    /*<grow>*/
    SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, h.neighbour_id AS tail_id, f.seed_group, f.nodes, f.edges,
           f.relations, h.targets, h.facets, f.facets AS facets_before, f.sums
    FROM chosen AS h
    JOIN frontier AS f ON f.question_id = h.question_id AND f.path_id = h.path_id
    /*</grow>*/
), summed AS (
    SELECT question_id, depth, parent_id, tail_id, seed_group, nodes, edges, relations, 'beam' AS view, targets, facets, sums
    FROM grown
    UNION ALL
    SELECT c.question_id, c.depth, NULL, c.tail_id, c.seed_group, c.nodes, c.edges, c.relations, 'connector', c.targets, c.facets,
           c.sums
    FROM connector AS c
    SEMI JOIN frontier AS f ON f.question_id = c.question_id AND f.depth + 1 = c.depth
), scored AS (
    /*<score>*/
    SELECT *, {'relation_similarity': 0.0::DOUBLE, 'target_relevance': 0.0::DOUBLE, 'specificity': 0.0::DOUBLE,
               'anchor_consistency': 0.0::DOUBLE, 'transition_alignment': 0.0::DOUBLE, 'coherence': 0.0::DOUBLE,
               'hub_exposure': 0.0::DOUBLE, 'repetition': 0.0::DOUBLE, 'question_like': 0.0::DOUBLE,
               'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
           0.0::DOUBLE AS score
    FROM summed
    /*</score>*/
), numbered AS MATERIALIZED (
    SELECT *, row_number() OVER () AS row_no
    FROM scored
), sortable AS (  -- numbers only: to sort what a path holds, lists and structs, costs more than to score it
    SELECT row_no, question_id, score, parent_id, nodes[1] AS seed_id, hash(list_sort(edges)) AS edge_set,
           CASE WHEN parent_id IS NOT NULL THEN edges[array_length(edges)] END AS last_edge,
           CASE WHEN parent_id IS NULL THEN edges END AS way
    FROM numbered
), turned AS (  -- the better of two paths over the same edges; in one sorted run: many tiny partitions are slow
    SELECT *,
           CASE WHEN edge_set = lag(edge_set) OVER (
               PARTITION BY question_id ORDER BY edge_set, score DESC, parent_id, last_edge, way
           ) THEN 2 ELSE 1 END AS turn
    FROM sortable
), ranked AS (  -- then the best W of the pool
    SELECT row_no, turn,
           row_number() OVER (
               PARTITION BY question_id, turn, CASE WHEN $beam_scope::VARCHAR = 'seed' THEN seed_id END
               ORDER BY score DESC, parent_id, last_edge, way
           ) <= $beam_width::INTEGER AND turn = 1 AS kept,
           row_number() OVER (PARTITION BY question_id ORDER BY turn, score DESC, parent_id, last_edge, way) AS rank
    FROM turned
), judged AS (
    SELECT n.*, r.turn, r.rank, r.kept
    FROM ranked AS r
    JOIN numbered AS n ON n.row_no = r.row_no
    WHERE r.kept OR $keep_pruned::BOOLEAN
), reached AS (  -- N, E of eq. 9: what this depth's kept paths hold
    SELECT question_id,
           list_distinct(flatten(list(nodes))) AS new_nodes,
           list_distinct(flatten(list(edges))) AS new_edges,
           bit_or(targets) AS targets,
           bit_or(facets) AS facets
    FROM judged
    WHERE kept
    GROUP BY question_id
), before AS (  -- A of eq. 9: what was there
    SELECT question_id, any_value(seen_nodes) AS seen_nodes, any_value(seen_edges) AS seen_edges,
           any_value(targets) AS targets, any_value(facets) AS facets
    FROM frontier
    GROUP BY question_id
), grown_by AS (
    SELECT n.question_id,
           list_sort(list_distinct(list_concat(b.seen_nodes, n.new_nodes))) AS seen_nodes,
           list_sort(list_distinct(list_concat(b.seen_edges, n.new_edges))) AS seen_edges,
           array_length(b.seen_nodes) + array_length(b.seen_edges) AS size_before,
           b.targets | n.targets AS targets,
           b.facets | n.facets AS facets
    FROM reached AS n
    JOIN before AS b ON b.question_id = n.question_id
), gained AS (
    SELECT g.question_id, g.seen_nodes, g.seen_edges, g.targets, g.facets,
           (array_length(g.seen_nodes) + array_length(g.seen_edges) - g.size_before)
           / greatest(1, g.size_before)::DOUBLE AS gain,  -- eq. 9
           -- targets, facets and volume; what was not asked for is left out of the sum and of its weights
           ((CASE WHEN a.groups = 0 THEN 0 ELSE 0.5 * bit_count(g.targets) / a.groups END
             + CASE WHEN a.facets = 0 THEN 0 ELSE 0.3 * bit_count(g.facets) / a.facets END
             + 0.2 * least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE))
            / (CASE WHEN a.groups = 0 THEN 0.0 ELSE 0.5 END + CASE WHEN a.facets = 0 THEN 0.0 ELSE 0.3 END + 0.2))::DOUBLE
               AS completeness
    FROM grown_by AS g
    JOIN aim AS a ON a.question_id = g.question_id
)
SELECT j.question_id,
       j.depth,
       j.depth * 1000000 + j.rank AS path_id,
       j.parent_id,
       j.tail_id,
       j.seed_group,
       j.nodes, j.edges, j.relations, j.sums, j.score, j.terms, j.view, j.rank, j.kept,
       CASE WHEN j.turn > 1 THEN 'same_edges' WHEN NOT j.kept THEN 'beam_width' END AS pruned_by,
       g.seen_nodes, g.seen_edges, g.targets, g.facets, g.gain, g.completeness,
       CASE WHEN g.gain = 0 THEN 'no_gain'
            WHEN j.depth >= 2 AND g.completeness >= $completeness_floor::DOUBLE                         -- eq. 10
                 AND g.gain <= CASE $stop_regime::VARCHAR WHEN 'shallow' THEN 5.00 WHEN 'medium' THEN 0.35 ELSE 0.24 END
            THEN 'low_gain'
            WHEN j.depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
FROM judged AS j
JOIN gained AS g ON g.question_id = j.question_id
