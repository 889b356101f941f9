-- name: trace.forget_call
-- doc: The call rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.call
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
