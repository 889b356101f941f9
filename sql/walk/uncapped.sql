-- name: walk.uncapped
-- doc: No path with too many new steps, for a graph where no node has more than `fan_out`.
-- params: none
-- returns: question_id INTEGER, path_id BIGINT, last_edge_id INTEGER
-- order: none
SELECT question_id, path_id, NULL::INTEGER AS last_edge_id
FROM frontier
WHERE false
