-- name: store.threads_one
-- doc: The engine works on one thread: for a corpus whose tables are too short to share.
-- params: none
-- slots: none
-- returns: none
-- order: none
SET threads = 1
