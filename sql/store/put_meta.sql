-- name: store.put_meta
-- doc: Second half of setting one key.
-- params: key VARCHAR, value VARCHAR
-- slots: none
-- returns: none
-- order: none
INSERT INTO meta VALUES ($key::VARCHAR, $value::VARCHAR)
