-- name: trace.put_call
-- doc: One call of a model.
-- params: run_id VARCHAR, ordinal INTEGER, purpose VARCHAR, model VARCHAR, prompt_tokens INTEGER,
--   completion_tokens INTEGER, milliseconds DOUBLE, finish_reason VARCHAR, output VARCHAR, error VARCHAR
-- returns: none
-- order: none
INSERT INTO trace.call
VALUES ($run_id::VARCHAR, $ordinal::INTEGER, $purpose::VARCHAR, $model::VARCHAR, $prompt_tokens::INTEGER,
        $completion_tokens::INTEGER, $milliseconds::DOUBLE, $finish_reason::VARCHAR, $output::VARCHAR, $error::VARCHAR)
