-- name: walk.connector
-- doc: Paths that join the regions of two targets (of two seeds, where the question names fewer): up to two hops from each
--   side, met in the middle; the three best of each pair, at most twice the beam width a depth. The meeting node is spared
--   the hub term.
-- params: max_depth INTEGER, beam_width INTEGER, connector_fan INTEGER, rule_relation_id INTEGER
-- slots: expand, hop, grow, met_score, score
-- returns: question_id INTEGER, depth INTEGER, tail_id INTEGER, seed_group INTEGER, nodes INTEGER[], edges INTEGER[],
--   relations INTEGER[], targets BIGINT, facets BIGINT, sums STRUCT(relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored
--   DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE)
-- order: question_id, depth, nodes, edges
WITH RECURSIVE aim AS (  -- how many targets there are
    SELECT q.question_id, count(DISTINCT t.group_id) AS groups
    FROM question AS q
    LEFT JOIN target AS t ON t.question_id = q.question_id
    GROUP BY q.question_id
), grouped AS (  -- a seed belongs to its target, else it is a region of its own
    SELECT s.question_id, s.item_id,
           CASE WHEN count(DISTINCT s.group_id) OVER (PARTITION BY s.question_id) >= 2
                THEN coalesce(s.group_id, -1 - s.item_id) ELSE -1 - s.item_id END AS region
    FROM seed AS s
    WHERE s.item_kind = 'node'
), half AS (
    SELECT g.question_id, g.region AS seed_group, 0 AS depth, g.item_id::BIGINT AS path_id, g.item_id AS tail_id,
           [g.item_id] AS nodes, []::INTEGER[] AS edges, []::INTEGER[] AS relations, 0::BIGINT AS facets,
           {'relation': 0.0::DOUBLE, 'aim': 0.0::DOUBLE, 'specific': 0.0::DOUBLE, 'anchored': 0.0::DOUBLE,
            'aligned': 0.0::DOUBLE, 'coherent': 0.0::DOUBLE, 'hub': 0.0::DOUBLE, 'first': 0.0::DOUBLE, 'last': 0.0::DOUBLE,
            'repeated': 0.0::DOUBLE, 'question_like': 0.0::DOUBLE} AS sums
    FROM grouped AS g
    UNION ALL
    SELECT question_id, seed_group, depth, path_id, tail_id, nodes, edges, relations, facets, sums
    FROM (
        WITH frontier AS (
            SELECT question_id, seed_group, depth, path_id, tail_id, nodes, edges, relations, facets, sums
            FROM half
            WHERE depth < least(2, ($max_depth::INTEGER + 1) // 2)
        ), expansion AS MATERIALIZED (
            /*<expand>*/
            SELECT f.question_id, f.path_id, a.neighbour_id, a.edge_id, a.relation_id, a.forward
            FROM frontier AS f
            JOIN adjacency AS a ON a.node_id = f.tail_id
            /*</expand>*/
        ), hop AS (
            /*<hop>*/
            SELECT x.question_id, x.path_id, x.neighbour_id, x.edge_id, x.relation_id, 0.0::DOUBLE AS relation,
                   0.0::DOUBLE AS aligned, 0 AS anchored, 0.0::DOUBLE AS similarity, 0.0::DOUBLE AS relevance,
                   0.0::DOUBLE AS specificity, 0.0::DOUBLE AS hub_exposure, 0.0::DOUBLE AS question_like,
                   0::BIGINT AS targets, 0::BIGINT AS facets
            FROM expansion AS x
            /*</hop>*/
        ), chosen AS (
            SELECT *
            FROM hop
            QUALIFY row_number() OVER (
                PARTITION BY question_id, path_id ORDER BY relation DESC, specificity DESC, edge_id
            ) <= $connector_fan::INTEGER
        ), grown AS (
            /*<grow>*/
            SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, h.neighbour_id AS tail_id, f.seed_group,
                   f.nodes, f.edges, f.relations, h.targets, h.facets, f.facets AS facets_before, f.sums
            FROM chosen AS h
            JOIN frontier AS f ON f.question_id = h.question_id AND f.path_id = h.path_id
            /*</grow>*/
        )
        SELECT question_id, seed_group, depth,
               row_number() OVER (PARTITION BY question_id ORDER BY nodes, edges) AS path_id,
               tail_id, nodes, edges, relations, facets_before | facets AS facets, sums
        FROM grown
    )
), pair AS (
    SELECT a.question_id, a.seed_group, a.depth + b.depth AS depth, a.tail_id AS met_id, b.nodes[1] AS tail_id,
           list_concat(a.nodes, list_reverse(b.nodes)[2:]) AS nodes,
           list_concat(a.edges, list_reverse(b.edges)) AS edges,
           list_concat(a.relations, list_reverse(b.relations)) AS relations,
           a.facets | b.facets AS facets, a.sums AS a, b.sums AS b, b.depth > 0 AS inner_meeting
    FROM half AS a
    JOIN half AS b ON b.question_id = a.question_id AND b.tail_id = a.tail_id AND b.seed_group > a.seed_group
    WHERE a.depth - b.depth IN (0, 1) AND a.depth > 0
      AND a.depth + b.depth <= least($max_depth::INTEGER, 4)
      AND array_length(list_intersect(a.nodes, b.nodes)) = 1
), met AS (
    SELECT question_id, met_id AS node_id FROM pair
    UNION
    SELECT question_id, tail_id FROM pair
), met_score AS (
    /*<met_score>*/
    SELECT v.* FROM met AS m JOIN node_score AS v ON v.question_id = m.question_id AND v.node_id = m.node_id
    /*</met_score>*/
), joined AS (
    SELECT p.*, m.specificity AS met_specificity, m.hub_exposure AS met_hub, z.specificity AS end_specificity,
           z.hub_exposure AS end_hub, z.relevance AS end_relevance, z.question_like AS end_like, z.targets
    FROM pair AS p
    JOIN met_score AS m ON m.question_id = p.question_id AND m.node_id = p.met_id
    JOIN met_score AS z ON z.question_id = p.question_id AND z.node_id = p.tail_id
), summed AS (  -- the sums of both halves; what the middle and the far end add or take away
    SELECT m.question_id, m.depth, NULL::BIGINT AS parent_id, m.tail_id, m.seed_group, m.nodes, m.edges, m.relations,
           'connector' AS view, m.targets, m.facets,
           {'relation': a.relation + b.relation,
            'aim': CASE WHEN g.groups = 0 THEN end_relevance ELSE greatest(a.aim, b.aim, end_relevance) END,
            'specific': a.specific + CASE WHEN inner_meeting THEN b.specific - met_specificity + end_specificity ELSE 0 END,
            'anchored': a.anchored + b.anchored, 'aligned': a.aligned + b.aligned,
            'coherent': a.coherent + CASE WHEN inner_meeting THEN b.coherent - b.first + least(a.last, b.last) ELSE 0 END,
            'hub': greatest(0, a.hub - met_hub + CASE WHEN inner_meeting THEN b.hub - met_hub + end_hub ELSE 0 END),
            'first': a.first, 'last': CASE WHEN inner_meeting THEN b.first ELSE a.last END,
            'repeated': (array_length(list_filter(m.relations, lambda x: x <> $rule_relation_id::INTEGER)) - array_length(
                list_distinct(list_filter(m.relations, lambda x: x <> $rule_relation_id::INTEGER))))::DOUBLE,
            'question_like': greatest(a.question_like, b.question_like, end_like)} AS sums
    FROM joined AS m
    JOIN aim AS g ON g.question_id = m.question_id
), scored AS (
    /*<score>*/ SELECT *, 0.0::DOUBLE AS score FROM summed /*</score>*/
), best_of_pair AS (
    SELECT c.*
    FROM scored AS c
    JOIN grouped AS g ON g.question_id = c.question_id AND g.item_id = c.tail_id
    QUALIFY row_number() OVER (
        PARTITION BY c.question_id, c.seed_group, g.region ORDER BY c.score DESC, c.nodes, c.edges
    ) <= 3
)
SELECT question_id, depth, tail_id, seed_group, nodes, edges, relations, targets, facets, sums
FROM best_of_pair
QUALIFY row_number() OVER (PARTITION BY question_id, depth ORDER BY score DESC, nodes, edges) <= 2 * $beam_width::INTEGER
ORDER BY question_id, depth, nodes, edges
