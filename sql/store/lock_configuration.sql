-- name: store.lock_configuration
-- doc: No setting may change from here on.
-- params: none
-- slots: none
-- returns: none
-- order: none
SET lock_configuration = true
