-- name: store.all_threads
-- doc: The engine works on every core again.
-- params: none
-- slots: none
-- returns: none
-- order: none
RESET threads
