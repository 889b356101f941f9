-- name: store.attach_read_only
-- doc: Open a corpus file beside other readers; takes no write lock.
-- params: path VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS corpus (READ_ONLY)
