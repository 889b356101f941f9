-- name: context.matches_resident
-- doc: What a pattern or a search for paths found, in order, written out by `node_of` and `path_of`, functions over arrays in
--   memory; the same rows as matches.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, hops INTEGER, node_id INTEGER, name VARCHAR, kinds VARCHAR[], path VARCHAR,
--   nodes INTEGER[], edges INTEGER[]
-- order: question_id, rank
SELECT question_id,
       rank,
       depth AS hops,
       tail_id AS node_id,
       node.name,
       coalesce(node.kinds, []) AS kinds,
       head || node.name AS path,
       nodes,
       edges
FROM (
    SELECT question_id, rank, depth, tail_id, nodes, edges, node_of(tail_id) AS node, path_of(nodes, edges) AS head
    FROM walk
    WHERE kept AND view = 'answer'
)
ORDER BY question_id, rank
