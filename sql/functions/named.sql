-- name: functions.named
-- doc: Nodes that a person means by a name or an id, for each row of `wanted` (place, type, said): the exact name first;
--   only where there is none, any spelling or alias of it. What is no text is an id,
--   if it is whole.
-- params: none
-- returns: place INTEGER, node_id INTEGER
-- order: none
WITH exact AS (
    SELECT w.place, v.node_id
    FROM wanted AS w
    JOIN node AS v
      ON CASE WHEN w.type = 'VARCHAR' THEN v.name = w.said
              WHEN regexp_full_match(w.said, '-?\d+(\.0*)?') THEN v.node_id = TRY_CAST(w.said AS INTEGER) END
)
SELECT place, node_id FROM exact
UNION ALL
SELECT DISTINCT w.place, a.node_id
FROM wanted AS w
JOIN alias AS a
  ON a.alias_key = array_to_string(regexp_extract_all(lower(strip_accents(w.said)), '[\p{L}\p{N}]+'), ' ')
WHERE w.place NOT IN (SELECT place FROM exact)
