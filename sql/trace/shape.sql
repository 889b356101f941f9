-- name: trace.shape
-- doc: Rows of a walk per depth: looked at, kept, pruned by which rule, gain and completeness.
-- params: question_id INTEGER
-- returns: depth INTEGER, evaluated INTEGER, kept INTEGER, pruned_by VARCHAR, best_score DOUBLE, worst_score
--   DOUBLE, gain DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: depth, pruned_by
SELECT depth,
       count(*)::INTEGER AS evaluated,
       (count(*) FILTER (kept))::INTEGER AS kept,
       coalesce(pruned_by, '') AS pruned_by,
       max(score) AS best_score,
       min(score) AS worst_score,
       max(gain) AS gain,
       max(completeness) AS completeness,
       max(stopped) AS stopped
FROM walk
WHERE question_id = $question_id::INTEGER
GROUP BY depth, coalesce(pruned_by, '')
ORDER BY depth, pruned_by
