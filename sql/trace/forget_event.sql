-- name: trace.forget_event
-- doc: The event rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.event
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
