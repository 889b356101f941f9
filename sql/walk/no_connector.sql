-- name: walk.no_connector
-- doc: No paths between the regions of targets: the control use_connector is off.
-- params: none
-- returns: question_id INTEGER, depth INTEGER, tail_id INTEGER, seed_group INTEGER, nodes INTEGER[], edges INTEGER[],
--   relations INTEGER[], targets BIGINT, facets BIGINT, sums STRUCT(relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored
--   DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE)
-- order: none
SELECT question_id,
       NULL::INTEGER AS depth,
       NULL::INTEGER AS tail_id,
       NULL::INTEGER AS seed_group,
       NULL::INTEGER[] AS nodes,
       NULL::INTEGER[] AS edges,
       NULL::INTEGER[] AS relations,
       NULL::BIGINT AS targets,
       NULL::BIGINT AS facets,
       NULL::STRUCT(
           relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
           first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
       ) AS sums
FROM question
WHERE false
