-- name: trace.count
-- doc: Rows in a stage table.
-- params: stage VARCHAR
-- returns: rows INTEGER
-- order: none
SELECT count(*)::INTEGER AS rows
FROM query_table($stage::VARCHAR)
