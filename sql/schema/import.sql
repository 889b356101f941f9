-- A folder of Parquet into the empty tables of a new file. The order of each Parquet file is the order stored.

INSERT INTO meta BY NAME
SELECT key, value
FROM read_parquet($folder || '/meta.parquet', hive_partitioning = false);

INSERT INTO document BY NAME
SELECT document_id, source, title, hash, char_count, properties::JSON AS properties
FROM read_parquet($folder || '/document.parquet', hive_partitioning = false);

INSERT INTO chunk BY NAME
SELECT chunk_id, document_id, ordinal, title, heading, text, char_start, char_end, term_count,
       embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/chunk.parquet', hive_partitioning = false);

INSERT INTO sentence BY NAME
SELECT sentence_id, chunk_id, ordinal, char_start, char_end, embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/sentence.parquet', hive_partitioning = false);

INSERT INTO node BY NAME
SELECT node_id, name, key, kinds, description, properties::JSON AS properties, origin, degree, chunk_count,
       specificity, hub_share,
       CASE WHEN embedding IS NOT NULL THEN embedding::FLOAT[$dimension]::FLOAT[] END AS embedding
FROM read_parquet($folder || '/node.parquet', hive_partitioning = false);

INSERT INTO alias BY NAME
SELECT node_id, alias, alias_key, is_title, chunk_id
FROM read_parquet($folder || '/alias.parquet', hive_partitioning = false);

INSERT INTO relation BY NAME
SELECT relation_id, relation, embedding::FLOAT[$dimension] AS embedding
FROM read_parquet($folder || '/relation.parquet', hive_partitioning = false);

INSERT INTO edge BY NAME
SELECT edge_id, source_id, relation_id, target_id, label, fact_id, fact, weight, properties::JSON AS properties,
       origin,
       CASE WHEN embedding IS NOT NULL THEN embedding::FLOAT[$dimension]::FLOAT[] END AS embedding
FROM read_parquet($folder || '/edge.parquet', hive_partitioning = false);

INSERT INTO mention BY NAME
SELECT node_id, chunk_id, sentence_id, char_start, char_end, origin
FROM read_parquet($folder || '/mention.parquet', hive_partitioning = false);

INSERT INTO edge_chunk BY NAME
SELECT edge_id, chunk_id
FROM read_parquet($folder || '/edge_chunk.parquet', hive_partitioning = false);

INSERT INTO title_page BY NAME
SELECT node_id, chunk_id
FROM read_parquet($folder || '/title_page.parquet', hive_partitioning = false);

INSERT INTO extraction BY NAME
SELECT chunk_id, model, facts::JSON AS facts, reason
FROM read_parquet($folder || '/extraction.parquet', hive_partitioning = false);

INSERT INTO term BY NAME
SELECT term_id, term, chunk_count, sentence_count, idf, specificity
FROM read_parquet($folder || '/term.parquet', hive_partitioning = false);

INSERT INTO term_form BY NAME
SELECT form, term_id
FROM read_parquet($folder || '/term_form.parquet', hive_partitioning = false);

INSERT INTO posting BY NAME
SELECT term_id, chunk_id, tf, weight
FROM read_parquet($folder || '/posting.parquet', hive_partitioning = false);

INSERT INTO sentence_posting BY NAME
SELECT term_id, sentence_id
FROM read_parquet($folder || '/sentence_posting.parquet', hive_partitioning = false);

INSERT INTO name_posting BY NAME
SELECT term_id, node_id, weight
FROM read_parquet($folder || '/name_posting.parquet', hive_partitioning = false);

INSERT INTO mention_context BY NAME
SELECT term_id, chunk_id, node_id, sentence_id, side
FROM read_parquet($folder || '/mention_context.parquet', hive_partitioning = false);

INSERT INTO adjacency BY NAME
SELECT node_id, neighbour_id, edge_id, relation_id, forward
FROM read_parquet($folder || '/adjacency.parquet', hive_partitioning = false);

INSERT INTO link BY NAME
SELECT chunk_id, node_id, next_chunk_id, is_title, specificity, title_share
FROM read_parquet($folder || '/link.parquet', hive_partitioning = false);

INSERT INTO schema_path BY NAME
SELECT source_kind, relation, target_kind, edge_count
FROM read_parquet($folder || '/schema_path.parquet', hive_partitioning = false);

INSERT INTO schema_property BY NAME
SELECT owner, label, property, type, value_count, texts
FROM (FROM read_parquet($folder || '/schema_property.parquet', hive_partitioning = false)
      UNION ALL BY NAME  -- a folder of before there were texts
      SELECT NULL::VARCHAR[] AS texts WHERE false);

INSERT INTO pending_chunk BY NAME
SELECT chunk_id
FROM read_parquet($folder || '/pending_chunk.parquet', hive_partitioning = false);

INSERT INTO pending_key BY NAME
SELECT alias_key
FROM read_parquet($folder || '/pending_key.parquet', hive_partitioning = false);
