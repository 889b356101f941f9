-- name: ingest.title_keys
-- doc: Every name that is the title of a chunk.
-- params: none
-- returns: alias_key VARCHAR
-- order: alias_key
SELECT DISTINCT alias_key
FROM alias
WHERE is_title
ORDER BY alias_key
