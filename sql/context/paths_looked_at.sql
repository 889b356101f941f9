-- name: context.paths_looked_at
-- doc: How many paths each question's walk evaluated beyond its seeds.
-- params: none
-- returns: question_id INTEGER, paths INTEGER
-- order: question_id
SELECT q.question_id, (count(*) FILTER (w.depth > 0))::INTEGER AS paths
FROM question AS q
LEFT JOIN walk AS w ON w.question_id = q.question_id
GROUP BY q.question_id
ORDER BY q.question_id
