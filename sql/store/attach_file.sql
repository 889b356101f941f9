-- name: store.attach_file
-- doc: Open or create a corpus file for reading and writing.
-- params: path VARCHAR, storage_version VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS corpus (STORAGE_VERSION $storage_version)
