-- name: ingest.derive_schema_path
-- doc: Which kinds each relation joins, with counts.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE schema_path AS
SELECT coalesce(source_kind, '') AS source_kind,
       relation,
       coalesce(target_kind, '') AS target_kind,
       count(*) AS edge_count
FROM (
    SELECT unnest(CASE WHEN len(coalesce(s.kinds, [])) = 0 THEN [''] ELSE s.kinds END) AS source_kind, r.relation, e.target_id
    FROM edge AS e
    JOIN relation AS r ON r.relation_id = e.relation_id
    JOIN node AS s ON s.node_id = e.source_id
) AS half
JOIN (
    SELECT node_id, unnest(CASE WHEN len(coalesce(kinds, [])) = 0 THEN [''] ELSE kinds END) AS target_kind
    FROM node
) AS t ON t.node_id = half.target_id
GROUP BY ALL
ORDER BY edge_count DESC, source_kind, relation, target_kind
