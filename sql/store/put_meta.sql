-- name: store.put_meta
-- doc: Second half of setting keys.
-- params: keys VARCHAR[], texts VARCHAR[]
-- slots: none
-- returns: none
-- order: none
INSERT INTO meta
SELECT unnest($keys::VARCHAR[]), unnest($texts::VARCHAR[])
