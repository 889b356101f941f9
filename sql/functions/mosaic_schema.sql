-- name: functions.mosaic_schema
-- doc: What the corpus holds: which kinds each relation joins, most edges first.
-- params: none
-- returns: none
-- order: edges DESC, relation, source_kind, target_kind
-- example: FROM mosaic_schema()
CREATE OR REPLACE MACRO mosaic_schema() AS TABLE
SELECT source_kind, relation, target_kind, edge_count AS edges
FROM schema_path
ORDER BY edge_count DESC, relation, source_kind, target_kind
