-- name: walk.resident_size
-- doc: The counts from which the size of adjacency, names and node vectors in memory follows.
-- params: none
-- returns: steps BIGINT, top_node_id INTEGER, name_bytes BIGINT, vectors BIGINT, dimension BIGINT
-- order: none
SELECT a.steps,
       greatest(a.top_node_id, v.top_node_id, -1) AS top_node_id,
       v.name_bytes,
       v.vectors,
       coalesce(v.dimension, 0) AS dimension
FROM (SELECT count(*) AS steps, max(node_id) AS top_node_id FROM adjacency) AS a
CROSS JOIN (
    SELECT coalesce(sum(strlen(name)), 0)::BIGINT AS name_bytes,
           count(embedding) AS vectors,
           max(node_id) AS top_node_id,
           max(array_length(embedding)) AS dimension
    FROM node
) AS v
