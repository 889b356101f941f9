-- name: walk.load_vectors
-- doc: The node vectors, as lists: what leaves the engine has no fixed width.
-- params: none
-- returns: node_id INTEGER, embedding FLOAT[]
-- order: none
SELECT node_id, embedding::FLOAT[] AS embedding
FROM node
WHERE embedding IS NOT NULL
