-- name: ingest.clear_pending_keys
-- doc: The titles have been looked for.
-- params: none
-- returns: none
-- order: none
DELETE FROM pending_key
