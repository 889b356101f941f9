-- name: trace.set_parent
-- doc: Runs become steps of another run, which used what they found.
-- params: run_id VARCHAR, steps VARCHAR[]
-- returns: none
-- order: none
UPDATE trace.run
SET parent_run_id = $run_id::VARCHAR
WHERE run_id IN (SELECT unnest($steps::VARCHAR[]))
