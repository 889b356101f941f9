-- name: trace.retention
-- doc: The bound of the file of kept runs: how many stay, and for how many days; no row where all stay.
-- params: none
-- returns: keep_count INTEGER, keep_days DOUBLE
-- order: none
SELECT keep_count, keep_days
FROM kept.retention
