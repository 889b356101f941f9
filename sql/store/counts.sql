-- name: store.counts
-- doc: Rows of every table a person asks about.
-- params: none
-- returns: what VARCHAR, rows BIGINT
-- order: none
SELECT 'documents' AS what, count(*)::BIGINT AS rows FROM document
UNION ALL SELECT 'chunks', count(*) FROM chunk
UNION ALL SELECT 'sentences', count(*) FROM sentence
UNION ALL SELECT 'nodes', count(*) FROM node
UNION ALL SELECT 'edges', count(*) FROM edge
UNION ALL SELECT 'relations', count(*) FROM relation
UNION ALL SELECT 'mentions', count(*) FROM mention
UNION ALL SELECT 'links', count(*) FROM link
UNION ALL SELECT 'terms', count(*) FROM term
UNION ALL SELECT 'postings', count(*) FROM posting
UNION ALL SELECT 'chunk_vector_count', count(embedding) FROM chunk
UNION ALL SELECT 'node_vector_count', count(embedding) FROM node
UNION ALL SELECT 'sentence_vector_count', count(embedding) FROM sentence
