-- name: trace.walk_of
-- doc: How many paths one run looked at and kept at each depth, and by which rule the others went.
-- params: run_id VARCHAR
-- returns: depth INTEGER, looked_at BIGINT, kept BIGINT, dropped MAP(VARCHAR, UBIGINT), best DOUBLE, gain DOUBLE,
--   completeness DOUBLE
-- order: depth
SELECT depth, count(*) AS looked_at, count(*) FILTER (kept) AS kept, histogram(pruned_by) AS dropped, max(score) AS best,
       max(gain) AS gain, max(completeness) AS completeness
FROM trace.walk
WHERE run_id = $run_id::VARCHAR
GROUP BY depth
ORDER BY depth
