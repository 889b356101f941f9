-- Runs: every retrieval's seeds, walk, evidence, model calls and events, as rows. The same tables live in memory and in
-- the file of kept runs beside the corpus.

CREATE TABLE IF NOT EXISTS run (
    run_id          VARCHAR,
    started_at      TIMESTAMP,
    question        VARCHAR,
    policy          JSON,
    operator        VARCHAR,
    operator_reason VARCHAR,
    signals         JSON,
    corrections     JSON,
    analyzer        VARCHAR,  -- 'rules', or the chat model that read the question
    facets          JSON,
    risk            VARCHAR,
    rationale       VARCHAR,
    form            VARCHAR,
    stop_reason     VARCHAR,
    package_version VARCHAR,
    schema_version  VARCHAR,
    corpus_hash     VARCHAR,  -- what the corpus held
    sql_hash        VARCHAR,
    context_hash    VARCHAR,
    answer          VARCHAR,
    answer_method   VARCHAR,
    answer_found    BOOLEAN,
    milliseconds    DOUBLE,
    parent_run_id   VARCHAR   -- the run that this one is a step of
);

CREATE TABLE IF NOT EXISTS seed (
    run_id VARCHAR, item_kind VARCHAR, item_id INTEGER, name VARCHAR, group_id INTEGER, score DOUBLE, why VARCHAR
);

CREATE TABLE IF NOT EXISTS walk (
    run_id       VARCHAR,
    depth        INTEGER,
    path_id      BIGINT,
    parent_id    BIGINT,
    tail_kind    VARCHAR,
    tail_id      INTEGER,
    nodes        INTEGER[],
    edges        INTEGER[],
    chunks       INTEGER[],
    score        DOUBLE,
    terms        STRUCT(
        relation_similarity DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE,
        transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE,
        source_weight DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE
    ),
    view         VARCHAR,
    rank         INTEGER,
    kept         BOOLEAN,
    pruned_by    VARCHAR,
    gain         DOUBLE,
    completeness DOUBLE,
    stopped      VARCHAR
);

CREATE TABLE IF NOT EXISTS evidence (
    run_id    VARCHAR,
    rank      INTEGER,
    unit_kind VARCHAR,
    unit_id   INTEGER,
    chunk_id  INTEGER,
    path_id   BIGINT,
    role      VARCHAR,
    score     DOUBLE,
    kept      BOOLEAN,
    pruned_by VARCHAR
);

CREATE TABLE IF NOT EXISTS call (
    run_id            VARCHAR,
    ordinal           INTEGER,
    purpose           VARCHAR,
    model             VARCHAR,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    milliseconds      DOUBLE,
    finish_reason     VARCHAR,
    output            VARCHAR,  -- what the model wrote, verbatim
    error             VARCHAR   -- why that was of no use, else empty
);

CREATE TABLE IF NOT EXISTS event (
    run_id VARCHAR, ordinal INTEGER, stage VARCHAR, query VARCHAR, row_count INTEGER, milliseconds DOUBLE
);

CREATE TABLE IF NOT EXISTS retention (  -- of the file of kept runs: one row, or none where all stay
    keep_count INTEGER, keep_days DOUBLE
);

-- Columns that came later, for a file of kept runs from before them.
ALTER TABLE run ADD COLUMN IF NOT EXISTS analyzer VARCHAR;
ALTER TABLE run ADD COLUMN IF NOT EXISTS facets JSON;
ALTER TABLE run ADD COLUMN IF NOT EXISTS risk VARCHAR;
ALTER TABLE run ADD COLUMN IF NOT EXISTS rationale VARCHAR;
ALTER TABLE run ADD COLUMN IF NOT EXISTS corpus_hash VARCHAR;
ALTER TABLE run ADD COLUMN IF NOT EXISTS parent_run_id VARCHAR;
ALTER TABLE call ADD COLUMN IF NOT EXISTS output VARCHAR;
ALTER TABLE call ADD COLUMN IF NOT EXISTS error VARCHAR;
