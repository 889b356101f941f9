-- name: trace.forget_seed
-- doc: The seed rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.seed
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
