-- name: trace.put_run
-- doc: One run.
-- params: run_id VARCHAR, question VARCHAR, policy VARCHAR, operator VARCHAR, operator_reason VARCHAR, signals
--   VARCHAR, corrections VARCHAR, analyzer VARCHAR, facets VARCHAR, risk VARCHAR, rationale VARCHAR, form VARCHAR,
--   stop_reason VARCHAR, package_version VARCHAR, schema_version VARCHAR, corpus_hash VARCHAR, sql_hash VARCHAR,
--   context_hash VARCHAR,
--   answer VARCHAR, answer_method VARCHAR, answer_found BOOLEAN, milliseconds DOUBLE
-- returns: none
-- order: none
INSERT INTO trace.run
SELECT $run_id::VARCHAR, now()::TIMESTAMP, $question::VARCHAR, $policy::JSON, $operator::VARCHAR, $operator_reason::VARCHAR,
       $signals::JSON, $corrections::JSON, $analyzer::VARCHAR, $facets::JSON, $risk::VARCHAR, $rationale::VARCHAR,
       $form::VARCHAR, $stop_reason::VARCHAR, $package_version::VARCHAR, $schema_version::VARCHAR, $corpus_hash::VARCHAR,
       $sql_hash::VARCHAR,
       $context_hash::VARCHAR, $answer::VARCHAR, $answer_method::VARCHAR, $answer_found::BOOLEAN, $milliseconds::DOUBLE,
       NULL::VARCHAR AS parent_run_id
