-- name: trace.forget_run
-- doc: The run rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.run
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
