-- name: walk.beam_step
-- doc: One depth of the beam. Shares of a path are means over its hops; `beam_scope` is one pool per depth, or
--   one per seed.
-- params: max_depth INTEGER, rule_relation_id INTEGER, fan_out INTEGER, anchor_strength DOUBLE,
--   relation_similarity DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE,
--   transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE,
--   beam_scope VARCHAR, beam_width INTEGER, evidence_count INTEGER, completeness_floor DOUBLE, stop_regime
--   VARCHAR, keep_pruned BOOLEAN
-- slots: expand
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_id INTEGER, seed_group
--   INTEGER, nodes INTEGER[], edges INTEGER[], relations INTEGER[], sums STRUCT(relation DOUBLE, aim DOUBLE,
--   specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, last DOUBLE), score DOUBLE,
--   terms STRUCT(relation_similarity DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency
--   DOUBLE, transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like
--   DOUBLE, source_weight DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank BIGINT, kept
--   BOOLEAN, pruned_by VARCHAR, seen_nodes INTEGER[], seen_edges INTEGER[], gain DOUBLE, completeness DOUBLE,
--   stopped VARCHAR
-- order: none
WITH frontier AS (
    SELECT question_id, depth, path_id, tail_id, seed_group, nodes, edges, relations, sums, terms, seen_nodes, seen_edges
    FROM walk
    WHERE kept AND stopped IS NULL AND depth < $max_depth::INTEGER
), expansion AS (
    /*<expand>*/
    SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
    FROM frontier AS f
    JOIN adjacency AS a ON a.node_id = f.tail_id
    /*</expand>*/
), grown AS (
    SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, f.seed_group,
           f.seen_nodes, f.seen_edges, f.relations, x.neighbour_id, x.edge_id, x.relation_id,
           list_append(f.nodes, x.neighbour_id) AS nodes,
           list_append(f.edges, x.edge_id) AS edges,
           list_contains(f.relations, x.relation_id) AND x.relation_id <> $rule_relation_id::INTEGER AS repeats,
           f.sums, f.terms,
           -- an edge's own cosine or overlap; a label-only edge takes its relation's cosine and that of the triple
           coalesce(e.similarity, r.similarity, 0) AS relation,
           coalesce(e.alignment, (coalesce(a.similarity, 0) + coalesce(r.similarity, 0) + v.similarity) / 3, 0) AS aligned,
           coalesce(e.anchored, false)::INTEGER AS anchored,
           g.groups IS NULL AS aimless, v.relevance, v.specificity, v.hub_exposure, v.question_like,
           row_number() OVER (
               PARTITION BY f.question_id, f.path_id
               ORDER BY coalesce(e.similarity, r.similarity, 0) DESC, v.similarity DESC, x.edge_id
           ) AS fan
    FROM expansion AS x
    JOIN frontier AS f ON f.question_id = x.question_id AND f.path_id = x.path_id
    JOIN node_score AS v ON v.question_id = x.question_id AND v.node_id = x.neighbour_id
    LEFT JOIN node_score AS a ON a.question_id = x.question_id AND a.node_id = f.tail_id
    LEFT JOIN edge_score AS e ON e.question_id = x.question_id AND e.edge_id = x.edge_id
    LEFT JOIN relation_score AS r ON r.question_id = x.question_id AND r.relation_id = x.relation_id
    LEFT JOIN aim AS g ON g.question_id = x.question_id
    WHERE NOT list_contains(f.nodes, x.neighbour_id)
), summed AS (
    SELECT * EXCLUDE (sums),
           {'relation': sums.relation + relation,
            -- the nearest the path comes to a target; without targets, how like the question it ends
            'aim': CASE WHEN aimless THEN relevance ELSE greatest(sums.aim, relevance) END,
            'specific': sums.specific + specificity, 'anchored': sums.anchored + anchored, 'aligned': sums.aligned + aligned,
            -- consecutive edges hang together as far as both speak of the question
            'coherent': sums.coherent + CASE WHEN depth = 1 THEN relation ELSE least(relation, sums.last) END,
            'hub': sums.hub + hub_exposure, 'last': relation} AS sums
    FROM grown
    WHERE fan <= $fan_out::INTEGER
), featured AS (
    SELECT * EXCLUDE (terms),
           {'relation_similarity': sums.relation / depth, 'target_relevance': sums.aim, 'specificity': sums.specific / depth,
            'anchor_consistency': sums.anchored / depth, 'transition_alignment': sums.aligned / depth,
            'coherence': sums.coherent / depth, 'hub_exposure': sums.hub / depth,
            'repetition': (coalesce(terms.repetition, 0) * (depth - 1) + repeats::INTEGER) / depth,
            'question_like': greatest(coalesce(terms.question_like, 0), question_like),
            'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
           -- from an anchor strength of 0.4 its terms grow, up to twice
           CASE WHEN $anchor_strength::DOUBLE < 0.4 THEN 1.0 ELSE 1 + ($anchor_strength::DOUBLE - 0.4) / 0.6 END AS boost
    FROM summed
), scored AS (
    SELECT *,
           $relation_similarity::DOUBLE * terms.relation_similarity                -- eq. 8
           + $target_relevance::DOUBLE * boost * terms.target_relevance
           + $specificity::DOUBLE * terms.specificity
           + $anchor_consistency::DOUBLE * boost * terms.anchor_consistency
           + $transition_alignment::DOUBLE * boost * terms.transition_alignment
           + $coherence::DOUBLE * terms.coherence
           - $hub_exposure::DOUBLE * boost * terms.hub_exposure
           - $repetition::DOUBLE * terms.repetition
           - $question_like::DOUBLE * terms.question_like AS score
    FROM featured
), ranked AS (  -- the better of two paths over the same edges; then the best W of the pool
    SELECT *,
           row_number() OVER (
               PARTITION BY question_id, turn, CASE WHEN $beam_scope::VARCHAR = 'seed' THEN nodes[1] END
               ORDER BY score DESC, parent_id, edge_id
           ) AS place,
           row_number() OVER (PARTITION BY question_id ORDER BY turn, score DESC, parent_id, edge_id) AS rank
    FROM (
        SELECT *,
               if(edge_set = lag(edge_set) OVER (PARTITION BY question_id ORDER BY edge_set, score DESC, parent_id, edge_id),
                  2, 1) AS turn  -- in one sorted run: a window of a thousand tiny partitions is slow
        FROM (SELECT *, list_sort(edges) AS edge_set FROM scored)
    )
), judged AS (
    SELECT *, turn = 1 AND place <= $beam_width::INTEGER AS kept
    FROM ranked
), reached AS (  -- A and N, E of eq. 9: what was there, and what this depth's kept paths hold
    SELECT question_id, depth,
           any_value(seen_nodes) AS old_nodes, any_value(seen_edges) AS old_edges,
           list_sort(list_distinct(flatten(list(nodes)))) AS new_nodes,
           list_sort(list_distinct(flatten(list(edges)))) AS new_edges
    FROM judged
    WHERE kept
    GROUP BY question_id, depth
), grown_by AS (
    SELECT question_id,
           list_sort(list_distinct(list_concat(old_nodes, new_nodes))) AS seen_nodes,
           list_sort(list_distinct(list_concat(old_edges, new_edges))) AS seen_edges,
           array_length(old_nodes) + array_length(old_edges) AS before
    FROM reached
), covered AS (
    SELECT g.question_id, count(DISTINCT t.group_id) AS groups
    FROM grown_by AS g
    JOIN target AS t ON t.question_id = g.question_id AND list_contains(g.seen_nodes, t.node_id)
    GROUP BY g.question_id
), gained AS (
    SELECT g.question_id, g.seen_nodes, g.seen_edges,
           (array_length(g.seen_nodes) + array_length(g.seen_edges) - g.before) / greatest(1, g.before)::DOUBLE AS gain,  -- eq. 9
           -- targets and volume; without targets volume alone
           CASE WHEN a.groups IS NULL THEN least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE)
                ELSE (0.5 * coalesce(c.groups, 0) / a.groups
                      + 0.2 * least(1.0, array_length(g.seen_edges) / $evidence_count::DOUBLE)) / 0.7
                END::DOUBLE AS completeness
    FROM grown_by AS g
    LEFT JOIN aim AS a ON a.question_id = g.question_id
    LEFT JOIN covered AS c ON c.question_id = g.question_id
)
SELECT j.question_id,
       j.depth,
       j.depth * 1000000 + j.rank AS path_id,
       j.parent_id,
       j.neighbour_id AS tail_id,
       j.seed_group,
       j.nodes, j.edges,
       list_append(j.relations, j.relation_id) AS relations,
       j.sums,
       j.score,
       j.terms,
       'beam' AS view,
       j.rank,
       j.kept,
       CASE WHEN j.turn > 1 THEN 'same_edges' WHEN NOT j.kept THEN 'beam_width' END AS pruned_by,
       g.seen_nodes,
       g.seen_edges,
       g.gain,
       g.completeness,
       CASE WHEN g.gain = 0 THEN 'no_gain'
            WHEN j.depth >= 2 AND g.completeness >= $completeness_floor::DOUBLE                         -- eq. 10
                 AND g.gain <= CASE $stop_regime::VARCHAR WHEN 'shallow' THEN 5.00 WHEN 'medium' THEN 0.35 ELSE 0.24 END
            THEN 'low_gain'
            WHEN j.depth >= $max_depth::INTEGER THEN 'max_depth' END AS stopped
FROM judged AS j
JOIN gained AS g ON g.question_id = j.question_id
WHERE j.kept OR $keep_pruned::BOOLEAN
