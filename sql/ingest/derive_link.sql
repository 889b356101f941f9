-- name: ingest.derive_link
-- doc: Chunk -node-> chunk over nodes in 2 to `hub_limit` chunks: to the pages of the node, else to chunks that
--   mention it.
-- params: hub_limit INTEGER
-- returns: none
-- order: none
CREATE OR REPLACE TABLE link AS
WITH bridge AS (
    SELECT node_id, specificity
    FROM node
    WHERE chunk_count BETWEEN 2 AND $hub_limit::INTEGER
), page AS (
    SELECT DISTINCT t.node_id, t.chunk_id
    FROM title_page AS t
    JOIN bridge AS b ON b.node_id = t.node_id
), named AS (  -- mentions outside the node's own pages
    SELECT DISTINCT m.chunk_id, m.node_id, b.specificity
    FROM mention AS m
    JOIN bridge AS b ON b.node_id = m.node_id
    ANTI JOIN page AS p ON p.node_id = m.node_id AND p.chunk_id = m.chunk_id
), target AS (
    SELECT node_id, chunk_id, true AS is_title, count(*) OVER (PARTITION BY node_id) AS pages
    FROM page
    UNION ALL
    SELECT node_id, chunk_id, false, NULL
    FROM named
)
SELECT n.chunk_id,
       n.node_id,
       t.chunk_id AS next_chunk_id,
       t.is_title,
       n.specificity,
       CASE WHEN t.is_title THEN round(65536 / sqrt(t.pages)) ELSE 0 END::INTEGER AS title_share
FROM named AS n
JOIN target AS t ON t.node_id = n.node_id AND t.chunk_id <> n.chunk_id
ORDER BY n.chunk_id, n.node_id, t.is_title DESC, t.chunk_id
