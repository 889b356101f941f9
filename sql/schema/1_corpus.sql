-- The corpus: what was given, never derived. Ids are handed out by `meta` counters and never used again.
-- Vectors lie on an integer grid, round(4000 * unit vector): every partial sum of an inner product is an integer
-- below 2^24, so float32 adds it exactly, in any order, on any machine.

CREATE TABLE meta (key VARCHAR, value VARCHAR);
COMMENT ON TABLE meta IS 'schema version, embedder identity, extractor, id counters, index state';

CREATE TABLE document (
    document_id INTEGER,
    source      VARCHAR,  -- where it came from; unique, shown in citations
    title       VARCHAR,
    hash        VARCHAR,  -- SHA-256 of what was read; the same content again is skipped
    char_count  INTEGER,
    properties  JSON
);
COMMENT ON TABLE document IS 'one row per source document';

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
COMMENT ON TABLE chunk IS 'stored text; not overlapping, in document order';
COMMENT ON COLUMN chunk.embedding IS 'round(4000 * unit vector) of "title. text"; NULL without an embedder';

CREATE TABLE sentence (
    sentence_id INTEGER,
    chunk_id    INTEGER,
    ordinal     INTEGER,
    char_start  INTEGER,  -- offsets into chunk.text, in characters
    char_end    INTEGER,
    embedding   FLOAT[$dimension]
);
COMMENT ON TABLE sentence IS 'sentences of a chunk; substr(chunk.text, char_start + 1, char_end - char_start)';
COMMENT ON COLUMN sentence.embedding IS 'vector of "title: sentence"; NULL unless sentence vectors are on';

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
    embedding   FLOAT[$dimension]
);
COMMENT ON TABLE node IS 'entities: names found in text, or nodes of an imported graph';

CREATE TABLE alias (
    node_id   INTEGER,
    alias     VARCHAR,
    alias_key VARCHAR,  -- normalised for look-up
    is_title  BOOLEAN   -- the name of a document, heading or definition
);
COMMENT ON TABLE alias IS 'names a node answers to; stored in alias_key order';

CREATE TABLE relation (relation_id INTEGER, relation VARCHAR, embedding FLOAT[$dimension]);
COMMENT ON TABLE relation IS 'labels of edges; stated_with joins neighbouring names of one sentence';

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
    embedding   FLOAT[$dimension]
);
COMMENT ON TABLE edge IS 'directed, labelled; parallel edges allowed';

CREATE TABLE mention (
    node_id     INTEGER,
    chunk_id    INTEGER,
    sentence_id INTEGER,
    char_start  INTEGER,  -- offsets into chunk.text
    char_end    INTEGER,
    origin      VARCHAR   -- 'title': a title of the corpus; 'span': found by its form
);
COMMENT ON TABLE mention IS 'a node named in a sentence';

CREATE TABLE edge_chunk (edge_id INTEGER, chunk_id INTEGER);
COMMENT ON TABLE edge_chunk IS 'chunks an edge was read from';

CREATE TABLE title_page (node_id INTEGER, chunk_id INTEGER);
COMMENT ON TABLE title_page IS 'the chunk that is about the node';
