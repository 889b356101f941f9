-- name: refine.arrival_kind
-- doc: All nodes of a kind, or of further ones, as the first arm, and after it what the walk reached from the anchors.
-- params: source_kind VARCHAR, or_kinds VARCHAR[]
-- slots: walked
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER,
--   paths BIGINT
-- order: question_id, arm, node_id, edge_id, path_id
SELECT q.question_id,
       0 AS arm,
       v.node_id,
       NULL::INTEGER AS edge_id,
       NULL::BIGINT AS path_id,
       0 AS depth,
       1::BIGINT AS paths
FROM question AS q
JOIN node AS v ON list_has_any(v.kinds, list_prepend($source_kind::VARCHAR, $or_kinds::VARCHAR[]))
UNION ALL
SELECT w.question_id, w.arm, w.node_id, w.edge_id, w.path_id, w.depth, w.paths
FROM (
    /*<walked>*/ SELECT question_id, arm, node_id, edge_id, path_id, depth, paths FROM arrival /*</walked>*/
) AS w
ORDER BY question_id, arm, node_id, edge_id, path_id
