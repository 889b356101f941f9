-- name: store.copy_kept
-- doc: All kept runs, and their bound, into the new file: it has no room of rows that went.
-- params: none
-- slots: none
-- returns: none
-- order: none
COPY FROM DATABASE kept TO fresh
