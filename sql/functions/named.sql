-- name: functions.named
-- doc: Nodes that a person means by a name or an id: the exact name first; only where there is none, any spelling or
--   alias of it. A number that is no text is an id.
-- params: item VARCHAR
-- returns: node_id INTEGER
-- order: none
WITH exact AS (
    SELECT node_id
    FROM node
    WHERE CASE WHEN typeof($item) = 'VARCHAR' THEN name = $item::VARCHAR ELSE node_id = TRY_CAST($item AS INTEGER) END
)
SELECT node_id FROM exact
UNION ALL
SELECT DISTINCT node_id
FROM alias
WHERE alias_key = array_to_string(regexp_extract_all(lower(strip_accents($item::VARCHAR)), '[\p{L}\p{N}]+'), ' ')
  AND NOT EXISTS (SELECT node_id FROM exact)
