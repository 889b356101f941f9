-- The corpus: what was given, never derived. Ids are handed out by `meta` counters and never used again.
-- Vectors lie on an integer grid, round(4000 * unit vector): every partial sum of an inner product is an integer
-- below 2^24, so float32 adds it exactly, in any order, on any machine.

CREATE TABLE meta (key VARCHAR, value VARCHAR);

CREATE TABLE document (
    document_id INTEGER,
    source      VARCHAR,  -- where it came from; unique, shown in citations
    title       VARCHAR,
    hash        VARCHAR,  -- SHA-256 of what was read; the same content again is skipped
    char_count  INTEGER,
    properties  JSON
);

CREATE TABLE chunk (
    chunk_id    INTEGER,
    document_id INTEGER,
    ordinal     INTEGER,  -- place in the document, from 0
    title       VARCHAR,
    heading     VARCHAR,  -- headings above, joined by " > "
    text        VARCHAR,
    char_start  INTEGER,  -- offsets into the decoded document, in characters
    char_end    INTEGER,
    term_count  INTEGER,  -- content stems of title and text
    embedding   FLOAT[$dimension]
);

CREATE TABLE sentence (
    sentence_id INTEGER,
    chunk_id    INTEGER,
    ordinal     INTEGER,
    char_start  INTEGER,  -- offsets into chunk.text, in characters
    char_end    INTEGER,
    embedding   FLOAT[$dimension]
);

CREATE TABLE node (
    node_id     INTEGER,
    name        VARCHAR,
    key         VARCHAR,  -- identity: normalised name (text) or exact name and kind (graph)
    kinds       VARCHAR[],
    description VARCHAR,
    properties  JSON,
    origin      VARCHAR,  -- 'text' or 'graph'
    degree      INTEGER,  -- derived: edges in and out
    chunk_count INTEGER,  -- derived: chunks that mention it or are about it
    specificity INTEGER,  -- derived: ln(C / chunk_count) / ln(C), in 2^-16
    hub_share   INTEGER,  -- derived: degree / 99th percentile, at most 1, in 2^-16
    embedding   FLOAT[]  -- of one width; a fixed one costs that width for every NULL
);

CREATE TABLE alias (
    node_id   INTEGER,
    alias     VARCHAR,
    alias_key VARCHAR,  -- normalised for look-up
    is_title  BOOLEAN,  -- the name of a document, heading or definition
    chunk_id  INTEGER   -- the chunk that gave the title; NULL for a plain name
);

CREATE TABLE relation (relation_id INTEGER, relation VARCHAR, embedding FLOAT[$dimension]);

CREATE TABLE edge (
    edge_id     INTEGER,
    source_id   INTEGER,
    relation_id INTEGER,
    target_id   INTEGER,
    label       VARCHAR,  -- words between the two names, or the label given
    fact_id     INTEGER,  -- the sentence that states it, if any
    fact        VARCHAR,  -- a statement given with the edge, if any
    weight      DOUBLE,
    properties  JSON,
    origin      VARCHAR,  -- 'text' or 'graph'
    embedding   FLOAT[]
);

CREATE TABLE mention (
    node_id     INTEGER,
    chunk_id    INTEGER,
    sentence_id INTEGER,
    char_start  INTEGER,  -- offsets into chunk.text
    char_end    INTEGER,
    origin      VARCHAR   -- 'title': a title of the corpus; 'span': found by its form; 'model': named by a chat model
);

CREATE TABLE edge_chunk (edge_id INTEGER, chunk_id INTEGER);

CREATE TABLE title_page (node_id INTEGER, chunk_id INTEGER);

CREATE TABLE extraction (
    chunk_id INTEGER,
    model    VARCHAR,
    facts    JSON,     -- entities and relations that hold against the chunk; NULL where the model failed
    reason   VARCHAR   -- why it failed, else empty
);
