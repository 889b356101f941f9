-- name: store.begin
-- doc: Start of a transaction.
-- params: none
-- slots: none
-- returns: none
-- order: none
BEGIN TRANSACTION
