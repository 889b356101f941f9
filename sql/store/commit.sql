-- name: store.commit
-- doc: End of a transaction.
-- params: none
-- slots: none
-- returns: none
-- order: none
COMMIT
