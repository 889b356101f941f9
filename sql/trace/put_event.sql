-- name: trace.put_event
-- doc: The stages of a run, in order.
-- params: run_id VARCHAR, stages STRUCT(ordinal INTEGER, stage VARCHAR, query VARCHAR, row_count INTEGER, milliseconds
--   DOUBLE)[]
-- returns: none
-- order: none
INSERT INTO trace.event
SELECT $run_id::VARCHAR, unnest($stages::STRUCT(
    ordinal INTEGER, stage VARCHAR, query VARCHAR, row_count INTEGER, milliseconds DOUBLE
)[], recursive := true)
