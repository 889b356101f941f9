-- name: ingest.derive_schema_path
-- doc: Which kinds each relation joins, with counts.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE schema_path AS
WITH kind_set AS (  -- few sets of kinds serve all nodes
    SELECT kinds, min(node_id) AS set_no
    FROM node
    GROUP BY kinds
), coded AS (
    SELECT v.node_id, k.set_no
    FROM node AS v
    JOIN kind_set AS k ON k.kinds IS NOT DISTINCT FROM v.kinds
), counted AS (
    SELECT s.set_no AS source_set, e.relation_id, t.set_no AS target_set, count(*) AS edge_count
    FROM edge AS e
    JOIN coded AS s ON s.node_id = e.source_id
    JOIN coded AS t ON t.node_id = e.target_id
    GROUP BY ALL
), kind AS (
    SELECT set_no, unnest(CASE WHEN len(coalesce(kinds, [])) = 0 THEN [''] ELSE kinds END) AS kind
    FROM kind_set
)
SELECT coalesce(s.kind, '') AS source_kind,
       r.relation,
       coalesce(t.kind, '') AS target_kind,
       sum(c.edge_count)::BIGINT AS edge_count
FROM counted AS c
JOIN relation AS r ON r.relation_id = c.relation_id
JOIN kind AS s ON s.set_no = c.source_set
JOIN kind AS t ON t.set_no = c.target_set
GROUP BY ALL
ORDER BY edge_count DESC, source_kind, relation, target_kind
