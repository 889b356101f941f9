-- name: store.forget_meta
-- doc: First half of setting one key: a later insert puts the new value.
-- params: key VARCHAR
-- slots: none
-- returns: none
-- order: none
DELETE FROM meta WHERE key = $key::VARCHAR
