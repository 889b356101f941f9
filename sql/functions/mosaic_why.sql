-- name: functions.mosaic_why
-- doc: What a kept run made of a chunk, by its id, stage by stage: seed, every path that reached it, unit of evidence; kept or
--   by which rule not. No row says that nothing found it. Needs the runs: `ATTACH 'NAME.runs.duckdb' AS trace`.
-- params: none
-- returns: none
-- order: place, score DESC, path
-- example: FROM mosaic_why((SELECT max(run_id) FROM mosaic_runs()), (SELECT min(chunk_id) FROM chunk WHERE title = 'Germanium'))
CREATE OR REPLACE MACRO mosaic_why(run, chunk_number) AS TABLE
WITH step AS (
    SELECT 1 AS place, 'seed' AS stage, s.score, true AS kept, s.why AS reason, NULL::INTEGER[] AS over, NULL::BIGINT AS path
    FROM trace.seed AS s
    WHERE s.run_id = run AND s.item_kind = 'chunk' AND s.item_id = chunk_number
    UNION ALL
    SELECT 2, 'walk, depth ' || w.depth, w.score, w.kept,
           coalesce('dropped: ' || w.pruned_by, 'kept, place ' || w.rank), w.nodes, w.path_id
    FROM trace.walk AS w
    WHERE w.run_id = run AND w.tail_kind = 'chunk' AND w.tail_id = chunk_number AND w.depth > 0
    UNION ALL
    SELECT 3, 'evidence', e.score, e.kept,
           coalesce('dropped: ' || e.pruned_by, 'kept, place ' || e.rank || ' as ' || e.role), NULL, e.path_id
    FROM trace.evidence AS e
    WHERE e.run_id = run AND e.chunk_id = chunk_number
)
SELECT s.stage, s.kept, s.reason, round(s.score, 6) AS score,
       (
           SELECT string_agg(v.name, ' > ' ORDER BY o.hop)
           FROM (SELECT unnest(s.over) AS node_id, generate_subscripts(s.over, 1) AS hop) AS o
           JOIN node AS v ON v.node_id = o.node_id
       ) AS names,
       s.path
FROM step AS s
ORDER BY s.place, s.score DESC, s.path
