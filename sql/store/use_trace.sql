-- name: store.use_trace
-- doc: Unqualified names mean the runs in memory.
-- params: none
-- returns: none
-- order: none
USE trace
