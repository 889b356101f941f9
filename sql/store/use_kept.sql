-- name: store.use_kept
-- doc: Unqualified names mean the file of kept runs.
-- params: none
-- returns: none
-- order: none
USE kept
