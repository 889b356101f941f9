-- name: trace.set_answer
-- doc: What was answered in a run.
-- params: run_id VARCHAR, answer VARCHAR, answer_method VARCHAR, answer_found BOOLEAN
-- returns: none
-- order: none
UPDATE trace.run
SET answer = $answer::VARCHAR, answer_method = $answer_method::VARCHAR, answer_found = $answer_found::BOOLEAN
WHERE run_id = $run_id::VARCHAR
