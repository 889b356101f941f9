-- name: store.rollback
-- doc: Give a transaction up.
-- params: none
-- slots: none
-- returns: none
-- order: none
ROLLBACK
