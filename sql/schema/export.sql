-- A corpus as a folder of Parquet, one file a table, each in a total order: that of the file where a table is
-- derived, that of the ids where it is not. The manifest comes last. Vectors go out as lists: other programs can not
-- read an array column that has a NULL.

COPY (
    SELECT key, value
    FROM meta
    ORDER BY key, value
) TO ($folder || '/meta.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT document_id, source, title, hash, char_count, properties
    FROM document
    ORDER BY document_id
) TO ($folder || '/document.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT chunk_id, document_id, ordinal, title, heading, text, char_start, char_end, term_count, embedding::FLOAT[] AS embedding
    FROM chunk
    ORDER BY chunk_id
) TO ($folder || '/chunk.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT sentence_id, chunk_id, ordinal, char_start, char_end, embedding::FLOAT[] AS embedding
    FROM sentence
    ORDER BY sentence_id
) TO ($folder || '/sentence.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT node_id, name, key, kinds, description, properties, origin, degree, chunk_count, specificity,
           hub_share, embedding::FLOAT[] AS embedding
    FROM node
    ORDER BY node_id
) TO ($folder || '/node.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT node_id, alias, alias_key, is_title, chunk_id
    FROM alias
    ORDER BY alias_key, node_id, is_title, chunk_id NULLS FIRST, alias
) TO ($folder || '/alias.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT relation_id, relation, embedding::FLOAT[] AS embedding
    FROM relation
    ORDER BY relation_id
) TO ($folder || '/relation.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT edge_id, source_id, relation_id, target_id, label, fact_id, fact, weight, properties, origin,
           embedding::FLOAT[] AS embedding
    FROM edge
    ORDER BY edge_id
) TO ($folder || '/edge.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT node_id, chunk_id, sentence_id, char_start, char_end, origin
    FROM mention
    ORDER BY chunk_id, sentence_id, char_start, char_end, node_id, origin
) TO ($folder || '/mention.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT edge_id, chunk_id
    FROM edge_chunk
    ORDER BY edge_id, chunk_id
) TO ($folder || '/edge_chunk.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT node_id, chunk_id
    FROM title_page
    ORDER BY chunk_id, node_id
) TO ($folder || '/title_page.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT chunk_id, model, facts, reason
    FROM extraction
    ORDER BY chunk_id
) TO ($folder || '/extraction.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT term_id, term, chunk_count, sentence_count, idf, specificity
    FROM term
    ORDER BY term, term_id
) TO ($folder || '/term.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT form, term_id
    FROM term_form
    ORDER BY form, term_id
) TO ($folder || '/term_form.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT term_id, chunk_id, tf, weight
    FROM posting
    ORDER BY term_id, chunk_id
) TO ($folder || '/posting.parquet') (FORMAT parquet, COMPRESSION zstd);
