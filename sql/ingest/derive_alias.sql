-- name: ingest.derive_alias
-- doc: Names in alias_key order, so zone maps find one.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE alias AS
SELECT DISTINCT node_id, alias, alias_key, is_title, chunk_id
FROM alias
ORDER BY alias_key, node_id, is_title, chunk_id NULLS FIRST, alias
