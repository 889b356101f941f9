-- name: functions.mosaic_why
-- doc: What a kept run made of a chunk, by its id, stage by stage: seed, every path that reached it, unit of evidence; kept or
--   by which rule not. No row says that nothing found it. Needs the runs: `ATTACH 'NAME.runs.duckdb' AS trace`.
-- params: none
-- slots: stored
-- returns: none
-- order: place, score DESC, path
-- example: FROM mosaic_why((SELECT arg_min(run_id, started_at) FROM mosaic_runs()),
--   (SELECT min(chunk_id) FROM chunk WHERE title = 'Germanium'))
CREATE OR REPLACE MACRO mosaic_why(run, chunk_number) AS TABLE
WITH wanted AS (
    SELECT 1 AS place, typeof(chunk_number) AS type, chunk_number::VARCHAR AS said
), found AS MATERIALIZED (
    /*<stored>*/ SELECT chunk_id FROM chunk WHERE false /*</stored>*/
), asked AS MATERIALIZED (
    SELECT coalesce(r.run_id, error(
        'no run ' || coalesce(regexp_replace(a.said, '^(.{60}).+$', '\1…', 's'), 'NULL')
        || ' is kept; FROM mosaic_runs() lists those there are'
    )::VARCHAR) AS run_id
    FROM (SELECT run::VARCHAR AS said) AS a
    LEFT JOIN mosaic_kept('run') AS r ON r.run_id = a.said
), step AS (
    SELECT 1 AS place, 'seed' AS stage, s.score, true AS kept, s.why AS reason, NULL::INTEGER[] AS over, NULL::BIGINT AS path
    FROM mosaic_kept('seed') AS s
    WHERE s.run_id IN (FROM asked) AND s.item_kind = 'chunk' AND s.item_id IN (FROM found)
    UNION ALL
    SELECT 2, 'walk, depth ' || w.depth, w.score, w.kept,
           coalesce('dropped: ' || w.pruned_by, 'kept, place ' || w.rank), w.nodes, w.path_id
    FROM mosaic_kept('walk') AS w
    WHERE w.run_id IN (FROM asked) AND w.tail_kind = 'chunk' AND w.tail_id IN (FROM found) AND w.depth > 0
    UNION ALL
    SELECT 3, 'evidence', e.score, e.kept,
           coalesce('dropped: ' || e.pruned_by, 'kept, place ' || e.rank || ' as ' || e.role), NULL, e.path_id
    FROM mosaic_kept('evidence') AS e
    WHERE e.run_id IN (FROM asked) AND e.chunk_id IN (FROM found)
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
