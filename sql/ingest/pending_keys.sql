-- name: ingest.pending_keys
-- doc: Titles that came since the last indexing.
-- params: none
-- returns: alias_key VARCHAR
-- order: alias_key
SELECT DISTINCT alias_key
FROM pending_key
ORDER BY alias_key
