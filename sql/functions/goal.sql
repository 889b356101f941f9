-- name: functions.goal
-- doc: As functions.named for the other end of a path: the exact name first; only where there is none, any spelling or
--   alias of it. A number that is no text is an id.
-- params: goal VARCHAR
-- returns: node_id INTEGER
-- order: none
WITH exact AS (
    SELECT node_id
    FROM node
    WHERE CASE WHEN typeof($goal) = 'VARCHAR' THEN name = $goal::VARCHAR ELSE node_id = TRY_CAST($goal AS INTEGER) END
)
SELECT node_id FROM exact
UNION ALL
SELECT DISTINCT node_id
FROM alias
WHERE alias_key = array_to_string(regexp_extract_all(lower(strip_accents($goal::VARCHAR)), '[\p{L}\p{N}]+'), ' ')
  AND NOT EXISTS (SELECT node_id FROM exact)
