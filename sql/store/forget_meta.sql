-- name: store.forget_meta
-- doc: First half of setting keys: a later insert puts the new values.
-- params: keys VARCHAR[]
-- slots: none
-- returns: none
-- order: none
DELETE FROM meta
WHERE key IN (SELECT unnest($keys::VARCHAR[]))
