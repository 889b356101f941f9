-- name: refine.rows
-- doc: The refine stage as it is, in the order it was filled.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER, value
--   VARCHAR, measure DOUBLE, paths BIGINT, edge_count BIGINT, degree INTEGER, edges INTEGER[], kept BOOLEAN, pruned_by
--   VARCHAR
-- order: as filled
SELECT question_id, rank, node_id, edge_id, path_id, depth, value, measure, paths, edge_count, degree, edges, kept, pruned_by
FROM refine
