-- name: store.detach_fresh
-- doc: Let the new file of kept runs go.
-- params: none
-- returns: none
-- order: none
DETACH fresh
