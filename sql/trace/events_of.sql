-- name: trace.events_of
-- doc: The stages of one run with their rows and times.
-- params: run_id VARCHAR
-- returns: ordinal INTEGER, stage VARCHAR, query VARCHAR, row_count INTEGER, milliseconds DOUBLE
-- order: ordinal
SELECT ordinal, stage, query, row_count, milliseconds
FROM trace.event
WHERE run_id = $run_id::VARCHAR
ORDER BY ordinal
