-- name: walk.grow
-- doc: Paths of the frontier, each longer by a chosen hop: nodes, edges, relations, and the features summed hop by hop.
-- params: rule_relation_id INTEGER
-- returns: question_id INTEGER, depth INTEGER, parent_id BIGINT, tail_id INTEGER, seed_group INTEGER, nodes INTEGER[],
--   edges INTEGER[], relations INTEGER[], targets BIGINT, facets BIGINT, facets_before BIGINT, sums STRUCT(relation DOUBLE,
--   aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, first DOUBLE, last DOUBLE,
--   repeated DOUBLE, question_like DOUBLE)
-- order: none
SELECT f.question_id, f.depth + 1 AS depth, f.path_id AS parent_id, h.neighbour_id AS tail_id, f.seed_group,
       list_append(f.nodes, h.neighbour_id) AS nodes,
       list_append(f.edges, h.edge_id) AS edges,
       list_append(f.relations, h.relation_id) AS relations,
       h.targets, h.facets, f.facets AS facets_before,
       {'relation': f.sums.relation + h.relation,
        -- the nearest the path comes to a target; without targets, how like the question it ends
        'aim': CASE WHEN g.groups = 0 THEN h.relevance ELSE greatest(f.sums.aim, h.relevance) END,
        'specific': f.sums.specific + h.specificity, 'anchored': f.sums.anchored + h.anchored,
        'aligned': f.sums.aligned + h.aligned,
        -- consecutive edges hang together as far as both speak of the question
        'coherent': f.sums.coherent + CASE WHEN f.depth = 0 THEN h.relation ELSE least(h.relation, f.sums.last) END,
        'hub': f.sums.hub + h.hub_exposure, 'first': CASE WHEN f.depth = 0 THEN h.relation ELSE f.sums.first END,
        'last': h.relation,
        'repeated': f.sums.repeated
                    + (list_contains(f.relations, h.relation_id) AND h.relation_id <> $rule_relation_id::INTEGER)::INTEGER,
        'question_like': greatest(f.sums.question_like, h.question_like)} AS sums
FROM chosen AS h
JOIN frontier AS f ON f.question_id = h.question_id AND f.path_id = h.path_id
JOIN aim AS g ON g.question_id = h.question_id
