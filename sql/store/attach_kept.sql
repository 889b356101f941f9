-- name: store.attach_kept
-- doc: The file of kept runs that is there, in whatever storage version it has.
-- params: path VARCHAR
-- slots: none
-- returns: none
-- order: none
ATTACH $path AS kept
