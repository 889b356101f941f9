-- name: functions.mosaic_why
-- doc: What a kept run made of a chunk, by its id, stage by stage: seed, every path that reached it, unit of evidence; kept or
--   by which rule not. No row says that nothing found it, a row `corpus` that the corpus changed since. Needs the runs:
--   `ATTACH 'NAME.runs.duckdb' AS trace`.
-- params: none
-- slots: state
-- returns: none
-- order: place, score DESC, path
-- example: FROM mosaic_why((SELECT arg_min(run_id, started_at) FROM mosaic_runs()),
--   (SELECT min(chunk_id) FROM chunk WHERE title = 'Germanium'))
CREATE OR REPLACE MACRO mosaic_why(run, chunk_number) AS TABLE
WITH found AS MATERIALIZED (
    SELECT w.said, CASE WHEN regexp_full_match(w.said, '\d+(\.0*)?') THEN TRY_CAST(w.said AS INTEGER) END AS chunk_id
    FROM (SELECT chunk_number::VARCHAR AS said) AS w
), asked AS MATERIALIZED (
    SELECT r.corpus_hash, coalesce(r.run_id, error(
        'no run ' || coalesce(regexp_replace(a.said, '^(.{60}).+$', '\1…', 's'), 'NULL')
        || ' is kept; FROM mosaic_runs() lists those there are'
    )::VARCHAR) AS run_id
    FROM (SELECT run::VARCHAR AS said) AS a
    LEFT JOIN mosaic_kept('run') AS r ON r.run_id = a.said
), step AS (
    SELECT 1 AS place, 'seed' AS stage, s.score, true AS kept, s.why AS reason, NULL::INTEGER[] AS over, NULL::BIGINT AS path
    FROM mosaic_kept('seed') AS s
    WHERE s.run_id IN (SELECT run_id FROM asked) AND s.item_kind = 'chunk' AND s.item_id IN (SELECT chunk_id FROM found)
    UNION ALL
    SELECT 2, 'walk, depth ' || w.depth, w.score, w.kept,
           coalesce('dropped: ' || w.pruned_by, 'kept, place ' || w.rank), w.nodes, w.path_id
    FROM mosaic_kept('walk') AS w
    WHERE w.run_id IN (SELECT run_id FROM asked) AND w.tail_kind = 'chunk' AND w.depth > 0
      AND w.tail_id IN (SELECT chunk_id FROM found)
    UNION ALL
    SELECT 3, 'evidence', e.score, e.kept,
           coalesce('dropped: ' || e.pruned_by, 'kept, place ' || e.rank || ' as ' || e.role), NULL, e.path_id
    FROM mosaic_kept('evidence') AS e
    WHERE e.run_id IN (SELECT run_id FROM asked) AND e.chunk_id IN (SELECT chunk_id FROM found)
), remark AS (
    SELECT 0 AS place, 'corpus' AS stage,
           'changed since this run' || CASE WHEN there THEN '' ELSE '; the chunk is gone' END AS reason
    FROM (
        SELECT f.said, f.chunk_id IN (SELECT chunk_id FROM chunk) AS there, a.corpus_hash
        FROM found AS f
        CROSS JOIN asked AS a
    )
    WHERE CASE WHEN there OR EXISTS (FROM step)
               THEN corpus_hash <> (SELECT state FROM (/*<state>*/ SELECT '' AS state /*</state>*/))
               ELSE error('no chunk has the id ' || coalesce(left(said, 60), 'NULL')
                          || '; chunk_id of mosaic_bm25 and of the table chunk are those there are') END
), told AS (
    SELECT place, stage, kept, reason, score, over, path FROM step
    UNION ALL
    SELECT place, stage, NULL, reason, NULL, NULL, NULL FROM remark
)
SELECT s.stage, s.kept, s.reason, round(s.score, 6) AS score,
       (
           SELECT string_agg(v.name, ' > ' ORDER BY o.hop)
           FROM (SELECT unnest(s.over) AS node_id, generate_subscripts(s.over, 1) AS hop) AS o
           JOIN node AS v ON v.node_id = o.node_id
       ) AS names,
       s.path
FROM told AS s
ORDER BY s.place, s.score DESC, s.path
