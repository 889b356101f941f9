-- What each table is, for people in a DuckDB shell (`SELECT table_name, comment FROM duckdb_tables()`).
-- Run again after the derived tables have been rebuilt.

COMMENT ON TABLE meta IS 'schema version, embedder identity, extractor, id counters, index state';
COMMENT ON TABLE document IS 'one row per source document';
COMMENT ON TABLE chunk IS 'stored text; not overlapping, in document order';
COMMENT ON COLUMN chunk.embedding IS 'round(4000 * unit vector) of "title. text"; NULL without an embedder';
COMMENT ON TABLE sentence IS 'sentences of a chunk; substr(chunk.text, char_start + 1, char_end - char_start)';
COMMENT ON COLUMN sentence.embedding IS 'vector of "title: sentence"; NULL unless sentence vectors are on';
COMMENT ON TABLE node IS 'entities: names found in text, or nodes of an imported graph';
COMMENT ON TABLE alias IS 'names a node answers to; stored in alias_key order';
COMMENT ON TABLE relation IS 'labels of edges; stated_with joins neighbouring names of one sentence';
COMMENT ON TABLE edge IS 'directed, labelled; parallel edges allowed';
COMMENT ON TABLE mention IS 'a node named in a sentence';
COMMENT ON TABLE edge_chunk IS 'chunks an edge was read from';
COMMENT ON TABLE title_page IS 'the chunk that is about the node';
COMMENT ON TABLE extraction IS 'what a chat model said of a chunk, checked; the index reads it like the text';
COMMENT ON TABLE term IS 'stems of the corpus';
COMMENT ON TABLE term_form IS 'word forms and the stem they belong to: search without a stemmer';
COMMENT ON TABLE posting IS 'stems per chunk with the finished BM25 weight; stored in term_id order';
COMMENT ON TABLE sentence_posting IS 'distinct stems per sentence; stored in term_id order';
COMMENT ON TABLE name_posting IS 'stems of node names with the finished BM25 weight; stored in term_id order';
COMMENT ON TABLE mention_context IS 'stems near a mention; stored in term_id order';
COMMENT ON TABLE adjacency IS 'both directions of every edge; stored in node_id order, so zone maps find a node';
COMMENT ON TABLE link IS 'chunk -node-> chunk for nodes in 2 to 60 chunks; stored in chunk_id order';
COMMENT ON TABLE schema_path IS 'which kinds each relation joins';
COMMENT ON TABLE schema_property IS 'which properties the nodes of a kind and the edges of a relation have, and their types';
COMMENT ON COLUMN schema_property.texts IS 'what a text property holds, where that is at most 200 texts of at most 40 characters';
COMMENT ON TABLE pending_chunk IS 'chunks stored but not indexed yet';
COMMENT ON TABLE pending_key IS 'titles that came or went since the last indexing';
