-- name: store.attach_existing
-- doc: Open a corpus file for reading and writing; it keeps the storage version it was made with.
-- params: path VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS corpus
