-- name: store.attach_memory
-- doc: A corpus that lives as long as its handle; also holds the views of a Parquet folder.
-- params: none
-- slots: none
-- returns: none
-- order: none
ATTACH ':memory:' AS corpus
