-- name: trace.forget_retention
-- doc: The bound of the file of kept runs goes.
-- params: none
-- returns: none
-- order: none
DELETE FROM kept.retention
