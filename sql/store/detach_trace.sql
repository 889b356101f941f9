-- name: store.detach_trace
-- doc: Let the runs in memory of this handle go.
-- params: none
-- returns: none
-- order: none
DETACH trace
