-- name: store.kept_tables
-- doc: Tables and views of the file of kept runs, and whether each has the column that tells the run.
-- params: none
-- slots: none
-- returns: table_name VARCHAR, of_runs BOOLEAN
-- order: table_name
SELECT table_name, bool_or(column_name = 'run_id') AS of_runs
FROM information_schema.columns
WHERE table_catalog = 'kept' AND table_schema = 'main'
GROUP BY table_name
ORDER BY table_name
