-- name: trace.put_retention
-- doc: The file of kept runs gets a bound.
-- params: keep_count INTEGER, keep_days DOUBLE
-- returns: none
-- order: none
INSERT INTO kept.retention
SELECT $keep_count::INTEGER, $keep_days::DOUBLE
