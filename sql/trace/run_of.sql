-- name: trace.run_of
-- doc: What one run was: its question, policy, reasons, hashes and answer.
-- params: run_id VARCHAR
-- returns: run_id VARCHAR, started_at TIMESTAMP, question VARCHAR, policy JSON, operator VARCHAR, operator_reason VARCHAR,
--   analyzer VARCHAR, form VARCHAR, stop_reason VARCHAR, package_version VARCHAR, schema_version VARCHAR, corpus_hash VARCHAR,
--   sql_hash VARCHAR,
--   context_hash VARCHAR, answer VARCHAR, answer_method VARCHAR, answer_found BOOLEAN, milliseconds DOUBLE
-- order: none
SELECT run_id, started_at, question, policy, operator, operator_reason, analyzer, form, stop_reason, package_version,
       schema_version, corpus_hash, sql_hash, context_hash, answer, answer_method, answer_found, milliseconds
FROM trace.run
WHERE run_id = $run_id::VARCHAR
