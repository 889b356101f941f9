-- name: store.attach_fresh
-- doc: A new file that kept runs move to.
-- params: path VARCHAR, storage_version VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS fresh (STORAGE_VERSION $storage_version, BLOCK_SIZE 16384)
