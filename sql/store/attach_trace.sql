-- name: store.attach_trace
-- doc: Runs kept in memory for this handle.
-- params: none
-- slots: none
-- returns: none
-- order: none
ATTACH ':memory:' AS trace
