-- name: store.threads_shared
-- doc: The engine works for connections side by side. All of them share its threads less one, whatever their number: with
--   one thread, or with two, they wait for each other.
-- params: count INTEGER
-- slots: none
-- returns: none
-- order: none
SET threads = $count::INTEGER
