-- Derived from the corpus: rebuilt by one command, never edited. Weights that SQL sums are integers in units of 2^-16,
-- since sum(double) depends on the number of threads.

CREATE TABLE term (
    term_id        INTEGER,
    term           VARCHAR,  -- Porter stem, or two characters of an unspaced script
    chunk_count    INTEGER,
    sentence_count INTEGER,
    idf            BIGINT,   -- ln(1 + (N - df + 0.5) / (df + 0.5)), in 2^-16
    specificity    BIGINT    -- ln(M / sentences with it) / ln(M), in 2^-16
);

CREATE TABLE term_form (form VARCHAR, term_id INTEGER);

CREATE TABLE posting (
    term_id  INTEGER,
    chunk_id INTEGER,
    tf       INTEGER,
    weight   BIGINT   -- BM25 with k1 1.2, b 0.75, in 2^-16
);

CREATE TABLE sentence_posting (term_id INTEGER, sentence_id INTEGER);

CREATE TABLE name_posting (term_id INTEGER, node_id INTEGER, weight BIGINT);

CREATE TABLE mention_context (
    term_id     INTEGER,
    chunk_id    INTEGER,
    node_id     INTEGER,
    sentence_id INTEGER,
    side        VARCHAR   -- 'before': within six words; 'after': within four
);

CREATE TABLE adjacency (
    node_id      INTEGER,
    neighbour_id INTEGER,
    edge_id      INTEGER,
    relation_id  INTEGER,
    forward      BOOLEAN
);

CREATE TABLE link (
    chunk_id      INTEGER,
    node_id       INTEGER,
    next_chunk_id INTEGER,
    is_title      BOOLEAN,  -- next_chunk is about the node
    specificity   INTEGER,  -- of the node, in 2^-16
    title_share   INTEGER   -- 1 / sqrt(pages of the node), in 2^-16
);

CREATE TABLE schema_path (source_kind VARCHAR, relation VARCHAR, target_kind VARCHAR, edge_count BIGINT);

CREATE TABLE schema_property (
    owner       VARCHAR,  -- 'node', 'edge', or 'relation': one that is read as a property, by the names it leads to
    label       VARCHAR,  -- the kind of the node, or the relation of the edge; empty for a node without a kind
    property    VARCHAR,
    type        VARCHAR,  -- 'number', 'date', 'bool' or 'text'
    value_count BIGINT,
    texts       VARCHAR[] -- its distinct texts in their order, where they are few and short; NULL where not
);

CREATE TABLE pending_chunk (chunk_id INTEGER);

CREATE TABLE pending_key (alias_key VARCHAR);
