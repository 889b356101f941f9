-- name: link.similar_names
-- doc: Nodes of an imported graph whose vector is near that of some words; cosine in [-1, 1].
-- params: embedding FLOAT[], least DOUBLE, row_limit INTEGER
-- returns: node_id INTEGER, cosine DOUBLE
-- order: cosine DESC, node_id
WITH near AS (
    SELECT node_id, list_inner_product(embedding, $embedding::FLOAT[]) / 16000000.0::DOUBLE AS cosine
    FROM node
    WHERE origin = 'graph' AND embedding IS NOT NULL
)
SELECT node_id, least(1, cosine)::DOUBLE AS cosine
FROM near
WHERE cosine >= $least::DOUBLE
ORDER BY cosine DESC, node_id
LIMIT $row_limit::INTEGER
