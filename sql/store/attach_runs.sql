-- name: store.attach_runs
-- doc: A new file of kept runs beside the corpus.
-- params: path VARCHAR, storage_version VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS kept (STORAGE_VERSION $storage_version, BLOCK_SIZE 16384)
