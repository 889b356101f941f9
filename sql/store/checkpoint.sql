-- name: store.checkpoint
-- doc: Write the log into the file.
-- params: none
-- slots: none
-- returns: none
-- order: none
CHECKPOINT corpus
