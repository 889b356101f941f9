-- name: ingest.index_alias
-- doc: An index on the look-up form of names, for corpora with so many that a scan of them takes too long.
-- params: none
-- returns: none
-- order: none
CREATE INDEX alias_by_key ON alias (alias_key)
