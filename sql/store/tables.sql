-- name: store.tables
-- doc: Tables and views of the attached corpus.
-- params: none
-- slots: none
-- returns: table_name VARCHAR
-- order: table_name
SELECT table_name
FROM information_schema.tables
WHERE table_catalog = 'corpus' AND table_schema = 'main'
ORDER BY table_name
