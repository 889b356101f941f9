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
COMMENT ON TABLE term IS 'stems of the corpus';

CREATE TABLE term_form (form VARCHAR, term_id INTEGER);
COMMENT ON TABLE term_form IS 'word forms and the stem they belong to: search without a stemmer';

CREATE TABLE posting (
    term_id  INTEGER,
    chunk_id INTEGER,
    tf       INTEGER,
    weight   BIGINT   -- BM25 with k1 1.2, b 0.75, in 2^-16
);
COMMENT ON TABLE posting IS 'stems per chunk with the finished BM25 weight; stored in term_id order';

CREATE TABLE sentence_posting (term_id INTEGER, sentence_id INTEGER);
COMMENT ON TABLE sentence_posting IS 'distinct stems per sentence; stored in term_id order';

CREATE TABLE name_posting (term_id INTEGER, node_id INTEGER, weight BIGINT);
COMMENT ON TABLE name_posting IS 'stems of node names with the finished BM25 weight; stored in term_id order';

CREATE TABLE mention_context (
    term_id     INTEGER,
    chunk_id    INTEGER,
    node_id     INTEGER,
    sentence_id INTEGER,
    side        VARCHAR   -- 'before': within six words; 'after': within four
);
COMMENT ON TABLE mention_context IS 'stems near a mention; stored in term_id order';

CREATE TABLE adjacency (
    node_id      INTEGER,
    neighbour_id INTEGER,
    edge_id      INTEGER,
    relation_id  INTEGER,
    forward      BOOLEAN
);
COMMENT ON TABLE adjacency IS 'both directions of every edge; stored in node_id order, so zone maps find a node';

CREATE TABLE link (
    chunk_id      INTEGER,
    node_id       INTEGER,
    next_chunk_id INTEGER,
    is_title      BOOLEAN,  -- next_chunk is about the node
    specificity   INTEGER,  -- of the node, in 2^-16
    title_share   INTEGER   -- 1 / sqrt(pages of the node), in 2^-16
);
COMMENT ON TABLE link IS 'chunk -node-> chunk for nodes in 2 to 60 chunks; stored in chunk_id order';

CREATE TABLE schema_path (source_kind VARCHAR, relation VARCHAR, target_kind VARCHAR, edge_count BIGINT);
COMMENT ON TABLE schema_path IS 'which kinds each relation joins';

CREATE TABLE pending_chunk (chunk_id INTEGER);
COMMENT ON TABLE pending_chunk IS 'chunks stored but not indexed yet';

CREATE TABLE pending_key (alias_key VARCHAR);
COMMENT ON TABLE pending_key IS 'titles that came or went since the last indexing';
