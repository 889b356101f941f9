-- name: store.no_external_access
-- doc: No file or network is read from here on; what is attached stays.
-- params: none
-- slots: none
-- returns: none
-- order: none
SET enable_external_access = false
