-- name: functions.mosaic_runs
-- doc: Kept runs, the latest first. They lie in NAME.runs.duckdb beside the corpus: `ATTACH 'NAME.runs.duckdb' AS trace`.
-- params: none
-- returns: none
-- order: started_at DESC, run_id
-- example: FROM mosaic_runs()
CREATE OR REPLACE MACRO mosaic_runs() AS TABLE
SELECT run_id, started_at, question, operator, operator_reason, stop_reason, answer, answer_found,
       round(milliseconds, 1) AS milliseconds
FROM mosaic_kept('run')
ORDER BY started_at DESC, run_id
