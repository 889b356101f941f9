-- The second half of an export: the rest of the tables, in the order of the file, and the manifest last.

COPY (
    SELECT term_id, sentence_id
    FROM sentence_posting
    ORDER BY term_id, sentence_id
) TO ($folder || '/sentence_posting.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT term_id, node_id, weight
    FROM name_posting
    ORDER BY term_id, node_id
) TO ($folder || '/name_posting.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT term_id, chunk_id, node_id, sentence_id, side
    FROM mention_context
    ORDER BY term_id, chunk_id, node_id, sentence_id, side
) TO ($folder || '/mention_context.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT node_id, neighbour_id, edge_id, relation_id, forward
    FROM adjacency
    ORDER BY node_id, edge_id, forward DESC
) TO ($folder || '/adjacency.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT chunk_id, node_id, next_chunk_id, is_title, specificity, title_share
    FROM link
    ORDER BY chunk_id, node_id, is_title DESC, next_chunk_id
) TO ($folder || '/link.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT source_kind, relation, target_kind, edge_count
    FROM schema_path
    ORDER BY edge_count DESC, source_kind, relation, target_kind
) TO ($folder || '/schema_path.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT owner, label, property, type, value_count, texts
    FROM (FROM schema_property UNION ALL BY NAME SELECT NULL::VARCHAR[] AS texts WHERE false)
    ORDER BY owner, label, property
) TO ($folder || '/schema_property.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT chunk_id
    FROM pending_chunk
    ORDER BY chunk_id
) TO ($folder || '/pending_chunk.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT alias_key
    FROM pending_key
    ORDER BY alias_key
) TO ($folder || '/pending_key.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT 'mosaic' AS format,
           (SELECT value FROM meta WHERE key = 'schema_version') AS schema_version,
           (SELECT value FROM meta WHERE key = 'dimension')::INTEGER AS dimension,
           (SELECT value FROM meta WHERE key = 'embedder') AS embedder,
           {
               meta: (SELECT count(*) FROM meta),
               document: (SELECT count(*) FROM document),
               chunk: (SELECT count(*) FROM chunk),
               sentence: (SELECT count(*) FROM sentence),
               node: (SELECT count(*) FROM node),
               alias: (SELECT count(*) FROM alias),
               relation: (SELECT count(*) FROM relation),
               edge: (SELECT count(*) FROM edge),
               mention: (SELECT count(*) FROM mention),
               edge_chunk: (SELECT count(*) FROM edge_chunk),
               title_page: (SELECT count(*) FROM title_page),
               extraction: (SELECT count(*) FROM extraction),
               term: (SELECT count(*) FROM term),
               term_form: (SELECT count(*) FROM term_form),
               posting: (SELECT count(*) FROM posting),
               sentence_posting: (SELECT count(*) FROM sentence_posting),
               name_posting: (SELECT count(*) FROM name_posting),
               mention_context: (SELECT count(*) FROM mention_context),
               adjacency: (SELECT count(*) FROM adjacency),
               link: (SELECT count(*) FROM link),
               schema_path: (SELECT count(*) FROM schema_path),
               schema_property: (SELECT count(*) FROM schema_property),
               pending_chunk: (SELECT count(*) FROM pending_chunk),
               pending_key: (SELECT count(*) FROM pending_key)
           } AS counts,
           $version::VARCHAR AS package_version,
           $written_at::VARCHAR AS written_at
) TO ($folder || '/manifest.parquet') (FORMAT parquet, COMPRESSION zstd);
