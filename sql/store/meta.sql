-- name: store.meta
-- doc: What the file says of itself.
-- params: none
-- slots: none
-- returns: key VARCHAR, value VARCHAR
-- order: key
SELECT key, value
FROM meta
ORDER BY key
