-- name: store.detach_kept
-- doc: Let the file of kept runs go.
-- params: none
-- returns: none
-- order: none
DETACH kept
