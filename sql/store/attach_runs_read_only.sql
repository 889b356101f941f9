-- name: store.attach_runs_read_only
-- doc: The file of kept runs beside the corpus, to read from.
-- params: path VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS kept (READ_ONLY)
