-- name: trace.forget_evidence
-- doc: The evidence rows of some kept runs go.
-- params: run_ids VARCHAR[]
-- returns: none
-- order: none
DELETE FROM kept.evidence
WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[]))
