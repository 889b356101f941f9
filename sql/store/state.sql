-- name: store.state
-- doc: A hash of what the corpus holds: the counters that ids come from, the sizes of the true tables, the embedder. It
--   changes with every change of the corpus, and says nothing more.
-- params: none
-- returns: state VARCHAR
-- order: none
SELECT left(md5(concat_ws(
           '|',
           (SELECT string_agg(key || '=' || value, ',' ORDER BY key) FROM meta
            WHERE key NOT IN ('functions', 'index_state', 'forms_state')),
           (SELECT count(*) FROM document), (SELECT count(*) FROM chunk), (SELECT count(*) FROM node),
           (SELECT count(*) FROM edge)
       )), 16) AS state
