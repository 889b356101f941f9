-- name: refine.overlap
-- doc: In place of what the walk reached: the nodes whose interval meets that of an edge it arrived by. An end that is
--   not told is open, on either side; without both ends there is no interval.
-- params: overlap_kind VARCHAR
-- slots: none
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER,
--   paths BIGINT, stands BOOLEAN
-- order: none
WITH bound AS (  -- look-ups 101 and 102: start and end on the edge; 103 and 104: on the nodes compared with
    SELECT question_id, node_id, edge_id,
           min(low) FILTER (number IN (101, 103)) AS first_day,
           max(high) FILTER (number IN (102, 104)) AS last_day
    FROM attribute
    WHERE (number IN (101, 102) AND edge_id IS NOT NULL) OR (number IN (103, 104) AND edge_id IS NULL)
    GROUP BY question_id, node_id, edge_id
), period AS (
    SELECT question_id, node_id, edge_id,
           coalesce(first_day, '-infinity'::DOUBLE) AS first_day,
           coalesce(last_day, 'infinity'::DOUBLE) AS last_day
    FROM bound
    WHERE first_day IS NOT NULL OR last_day IS NOT NULL
)
SELECT c.question_id, c.arm, o.node_id, c.edge_id, c.path_id, c.depth, c.paths, true AS stands
FROM checked AS c
JOIN period AS e ON e.question_id = c.question_id AND e.node_id = c.node_id AND e.edge_id = c.edge_id
JOIN period AS o
  ON o.question_id = c.question_id AND o.edge_id IS NULL AND o.first_day <= e.last_day AND e.first_day <= o.last_day
JOIN node AS v ON v.node_id = o.node_id AND list_contains(v.kinds, $overlap_kind::VARCHAR)
WHERE c.stands
