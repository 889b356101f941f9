-- name: functions.mosaic_kept
-- doc: Rows of a table of kept runs: 'run', 'seed', 'walk', 'evidence', 'event' or 'call'. They lie in NAME.runs.duckdb beside
--   the corpus; where that is not attached as `trace`, an error with the ATTACH to say.
-- params: none
-- returns: none
-- order: none
-- example: ATTACH 'elements.runs.duckdb' AS trace (READ_ONLY); FROM mosaic_kept('event')
CREATE OR REPLACE MACRO mosaic_kept(kept_table) AS TABLE
FROM query(  -- read when it is called; asking for a plan finds out without an error whether runs are attached
    CASE WHEN coalesce(kept_table NOT IN ('run', 'seed', 'walk', 'evidence', 'event', 'call'), true)
         THEN 'SELECT missing FROM (SELECT error(''kept runs have the tables run, seed, walk, evidence, event and call, not '
              || replace(coalesce(left(kept_table, 60), 'NULL'), '''', '''''') || ''')::VARCHAR AS missing) '
              || 'WHERE missing IS NOT NULL'
         WHEN (json_serialize_plan('FROM trace.run') ->> 'error') = 'false' THEN 'FROM trace.' || kept_table
         ELSE 'SELECT unnest(missing) FROM (SELECT error(''kept runs are not attached; say ATTACH '''''
              || replace(current_database(), '''', '''''''''')
              || '.runs.duckdb'''' AS trace (READ_ONLY) with the path of that file, which lies beside the corpus;'
              || ' `mosaic ask DB QUESTION --keep` makes it'')::STRUCT(
                     run_id VARCHAR, started_at TIMESTAMP, question VARCHAR, operator VARCHAR, operator_reason VARCHAR,
                     stop_reason VARCHAR, answer VARCHAR, answer_found BOOLEAN, milliseconds DOUBLE, item_kind VARCHAR,
                     item_id INTEGER, score DOUBLE, why VARCHAR, depth INTEGER, path_id BIGINT, tail_kind VARCHAR,
                     tail_id INTEGER, nodes INTEGER[], rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, chunk_id INTEGER,
                     role VARCHAR, corpus_hash VARCHAR
                 ) AS missing) WHERE missing IS NOT NULL'
    END
)
