-- name: store.row_counts
-- doc: Rows of every table of the corpus.
-- params: none
-- slots: none
-- returns: table_name VARCHAR, row_count BIGINT
-- order: table_name
SELECT 'meta' AS table_name, count(*) AS row_count FROM meta
UNION ALL
SELECT 'document', count(*) FROM document
UNION ALL
SELECT 'chunk', count(*) FROM chunk
UNION ALL
SELECT 'sentence', count(*) FROM sentence
UNION ALL
SELECT 'node', count(*) FROM node
UNION ALL
SELECT 'alias', count(*) FROM alias
UNION ALL
SELECT 'relation', count(*) FROM relation
UNION ALL
SELECT 'edge', count(*) FROM edge
UNION ALL
SELECT 'mention', count(*) FROM mention
UNION ALL
SELECT 'edge_chunk', count(*) FROM edge_chunk
UNION ALL
SELECT 'title_page', count(*) FROM title_page
UNION ALL
SELECT 'extraction', count(*) FROM extraction
UNION ALL
SELECT 'term', count(*) FROM term
UNION ALL
SELECT 'term_form', count(*) FROM term_form
UNION ALL
SELECT 'posting', count(*) FROM posting
UNION ALL
SELECT 'sentence_posting', count(*) FROM sentence_posting
UNION ALL
SELECT 'name_posting', count(*) FROM name_posting
UNION ALL
SELECT 'mention_context', count(*) FROM mention_context
UNION ALL
SELECT 'adjacency', count(*) FROM adjacency
UNION ALL
SELECT 'link', count(*) FROM link
UNION ALL
SELECT 'schema_path', count(*) FROM schema_path
UNION ALL
SELECT 'schema_property', count(*) FROM schema_property
UNION ALL
SELECT 'pending_chunk', count(*) FROM pending_chunk
UNION ALL
SELECT 'pending_key', count(*) FROM pending_key
ORDER BY table_name
