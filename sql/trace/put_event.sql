-- name: trace.put_event
-- doc: One stage of a run.
-- params: run_id VARCHAR, ordinal INTEGER, stage VARCHAR, query VARCHAR, row_count INTEGER, milliseconds DOUBLE
-- returns: none
-- order: none
INSERT INTO trace.event
VALUES ($run_id::VARCHAR, $ordinal::INTEGER, $stage::VARCHAR, $query::VARCHAR, $row_count::INTEGER, $milliseconds::DOUBLE)
