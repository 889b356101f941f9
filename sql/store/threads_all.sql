-- name: store.threads_all
-- doc: The engine works on every core again.
-- params: none
-- slots: none
-- returns: none
-- order: none
RESET threads
