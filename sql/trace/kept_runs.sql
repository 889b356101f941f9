-- name: trace.kept_runs
-- doc: Kept runs, the latest first.
-- params: none
-- returns: run_id VARCHAR, started_at TIMESTAMP, question VARCHAR, operator VARCHAR, answer_found BOOLEAN, milliseconds
--   DOUBLE, package_version VARCHAR
-- order: started_at DESC, run_id
SELECT run_id, started_at, question, operator, answer_found, milliseconds, package_version
FROM kept.run
ORDER BY started_at DESC, run_id
