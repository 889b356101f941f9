-- A folder of Parquet opened directly: nothing is copied. Parquet gives lists, so vectors are cast to arrays again.
-- Columns are those of 1_corpus.sql and 2_search.sql; rows come in the order they are stored in.
-- `$folder` is absolute.

CREATE VIEW corpus.main.manifest AS
SELECT format, schema_version, dimension, embedder, counts, package_version, written_at
FROM read_parquet($folder || '/manifest.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.meta AS
SELECT key, value
FROM read_parquet($folder || '/meta.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.document AS
SELECT document_id, source, title, hash, char_count, properties::JSON AS properties
FROM read_parquet($folder || '/document.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.chunk AS
SELECT chunk_id, document_id, ordinal, title, heading, text, char_start, char_end, term_count,
       embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/chunk.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.sentence AS
SELECT sentence_id, chunk_id, ordinal, char_start, char_end, embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/sentence.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.node AS
SELECT node_id, name, key, kinds, description, properties::JSON AS properties, origin, degree, chunk_count,
       specificity, hub_share,
       CASE WHEN embedding IS NOT NULL THEN embedding::FLOAT[$dimension]::FLOAT[] END AS embedding
FROM read_parquet($folder || '/node.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.alias AS
SELECT node_id, alias, alias_key, is_title, chunk_id
FROM read_parquet($folder || '/alias.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.relation AS
SELECT relation_id, relation, embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/relation.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.edge AS
SELECT edge_id, source_id, relation_id, target_id, label, fact_id, fact, weight, properties::JSON AS properties,
       origin,
       CASE WHEN embedding IS NOT NULL THEN embedding::FLOAT[$dimension]::FLOAT[] END AS embedding
FROM read_parquet($folder || '/edge.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.mention AS
SELECT node_id, chunk_id, sentence_id, char_start, char_end, origin
FROM read_parquet($folder || '/mention.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.edge_chunk AS
SELECT edge_id, chunk_id
FROM read_parquet($folder || '/edge_chunk.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.title_page AS
SELECT node_id, chunk_id
FROM read_parquet($folder || '/title_page.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.extraction AS
SELECT chunk_id, model, facts::JSON AS facts, reason
FROM read_parquet($folder || '/extraction.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.term AS
SELECT term_id, term, chunk_count, sentence_count, idf, specificity
FROM read_parquet($folder || '/term.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.term_form AS
SELECT form, term_id
FROM read_parquet($folder || '/term_form.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.posting AS
SELECT term_id, chunk_id, tf, weight
FROM read_parquet($folder || '/posting.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.sentence_posting AS
SELECT term_id, sentence_id
FROM read_parquet($folder || '/sentence_posting.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.name_posting AS
SELECT term_id, node_id, weight
FROM read_parquet($folder || '/name_posting.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.mention_context AS
SELECT term_id, chunk_id, node_id, sentence_id, side
FROM read_parquet($folder || '/mention_context.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.adjacency AS
SELECT node_id, neighbour_id, edge_id, relation_id, forward
FROM read_parquet($folder || '/adjacency.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.link AS
SELECT chunk_id, node_id, next_chunk_id, is_title, specificity, title_share
FROM read_parquet($folder || '/link.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.schema_path AS
SELECT source_kind, relation, target_kind, edge_count
FROM read_parquet($folder || '/schema_path.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.schema_property AS
SELECT owner, label, property, type, value_count, texts
FROM (FROM read_parquet($folder || '/schema_property.parquet', hive_partitioning = false)
      UNION ALL BY NAME  -- a folder of before there were texts
      SELECT NULL::VARCHAR[] AS texts WHERE false);

CREATE VIEW corpus.main.pending_chunk AS
SELECT chunk_id
FROM read_parquet($folder || '/pending_chunk.parquet', hive_partitioning = false);

CREATE VIEW corpus.main.pending_key AS
SELECT alias_key
FROM read_parquet($folder || '/pending_key.parquet', hive_partitioning = false);
