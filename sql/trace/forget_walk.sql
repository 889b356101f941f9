-- name: trace.forget_walk
-- doc: The walk rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.walk
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
