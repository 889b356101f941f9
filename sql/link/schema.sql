-- name: link.schema
-- doc: Which kinds each relation joins, most edges first.
-- params: none
-- returns: source_kind VARCHAR, relation VARCHAR, target_kind VARCHAR, edge_count BIGINT
-- order: edge_count DESC, source_kind, relation, target_kind
SELECT source_kind, relation, target_kind, edge_count
FROM schema_path
ORDER BY edge_count DESC, source_kind, relation, target_kind
