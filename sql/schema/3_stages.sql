-- Empty stage tables, so that every file can be described and run as it stands.

CREATE OR REPLACE TEMPORARY TABLE question (
    question_id INTEGER,
    text        VARCHAR,
    embedding   FLOAT[$dimension],
    idf         BIGINT[],  -- per term, in 2^-16
    idf_total   BIGINT,    -- T: their sum
    terms       STRUCT(
        term_no INTEGER,   -- 0 to 61: a bit of `covered`
        stem    VARCHAR,
        is_cue  BOOLEAN,   -- may stand beside a name as the relation asked for
        term_id INTEGER,
        idf     BIGINT     -- in 2^-16; 0 for a stem the corpus does not have
    )[],
    cues        STRUCT(term_no INTEGER, term_id INTEGER, idf BIGINT)[],
    targets     STRUCT(group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER)[],
    pages       STRUCT(group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[],
    topics      INTEGER[],
    transitions STRUCT(
        state INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, next_state INTEGER, accepts BOOLEAN
    )[],
    arms        STRUCT(arm INTEGER, group_id INTEGER, node_id INTEGER, state INTEGER, last_state INTEGER)[]
);

CREATE OR REPLACE TEMPORARY TABLE base (
    question_id  INTEGER,
    chunk_id     INTEGER,
    group_id     INTEGER,  -- the target whose title it bears
    place        BIGINT,   -- by score, from 1
    score        DOUBLE,   -- B: 1 is the best chunk, or an anchor
    share_of_best DOUBLE,  -- B / max B
    plain_score  DOUBLE,   -- B before anchors were lifted
    lexical      DOUBLE,   -- BM25 relative to the best
    cosine       DOUBLE,
    title_weight DOUBLE,   -- mw: how surely the question names this chunk's title
    covered      BIGINT    -- bit set of question terms in the chunk
);

CREATE OR REPLACE TEMPORARY TABLE cue (question_id INTEGER, chunk_id INTEGER, node_id INTEGER, score DOUBLE);

CREATE OR REPLACE TEMPORARY TABLE node_score (
    question_id   INTEGER,
    node_id       INTEGER,
    similarity    DOUBLE,
    relevance     DOUBLE,
    specificity   DOUBLE,
    hub_exposure  DOUBLE,
    question_like DOUBLE,
    is_target     BOOLEAN,
    targets       BIGINT    -- bit set of the target groups it stands for
);

CREATE OR REPLACE TEMPORARY TABLE edge_score (
    question_id INTEGER,
    edge_id     INTEGER,
    similarity  DOUBLE,
    alignment   DOUBLE,
    anchored    BOOLEAN,
    form        VARCHAR,
    facets      BIGINT    -- bit set of the facets it speaks of
);

CREATE OR REPLACE TEMPORARY TABLE name_score (question_id INTEGER, node_id INTEGER, share DOUBLE);

CREATE OR REPLACE TEMPORARY TABLE relation_score (question_id INTEGER, relation_id INTEGER, similarity DOUBLE, facets BIGINT);

CREATE OR REPLACE TEMPORARY TABLE seed (
    question_id INTEGER,
    item_kind   VARCHAR,  -- 'chunk' or 'node'
    item_id     INTEGER,
    group_id    INTEGER,  -- the target it belongs to
    score       DOUBLE,
    why         VARCHAR
);

CREATE OR REPLACE TEMPORARY TABLE walk (
    question_id  INTEGER,
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
    stopped      VARCHAR,
    -- carried inside a recursion only
    covered       BIGINT,
    seed_group    INTEGER,
    relations     INTEGER[],
    sums          STRUCT(
        relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
        first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
    ),
    targets       BIGINT,
    facets        BIGINT,
    seen_nodes    INTEGER[],
    seen_edges    INTEGER[]
);

CREATE OR REPLACE TEMPORARY TABLE connector (
    question_id INTEGER,
    depth       INTEGER,
    tail_id     INTEGER,
    seed_group  INTEGER,  -- the region it starts from
    nodes       INTEGER[],
    edges       INTEGER[],
    relations   INTEGER[],
    targets     BIGINT,
    facets      BIGINT,
    sums        STRUCT(
        relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
        first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
    )
);

CREATE OR REPLACE TEMPORARY TABLE query (
    question_id INTEGER,
    role        VARCHAR,  -- 'seed' or 'facet'
    query_no    INTEGER,  -- of its role, from 0
    group_id    INTEGER,  -- the target it asks for
    text        VARCHAR,
    embedding   FLOAT[$dimension],
    terms       STRUCT(term_id INTEGER, idf BIGINT)[],
    idf_total   BIGINT
);

CREATE OR REPLACE TEMPORARY TABLE evidence (
    question_id INTEGER,
    rank        INTEGER,
    unit_kind   VARCHAR,  -- 'chunk' or 'edge'
    unit_id     INTEGER,
    chunk_id    INTEGER,
    source      VARCHAR,  -- the document it is from
    path_id     BIGINT,
    role        VARCHAR,
    score       DOUBLE,
    cosine      DOUBLE,   -- of question and chunk
    kept        BOOLEAN,
    pruned_by   VARCHAR
);
