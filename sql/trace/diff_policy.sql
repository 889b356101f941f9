-- name: trace.diff_policy
-- doc: Controls that two runs set differently.
-- params: one VARCHAR, other VARCHAR
-- returns: control VARCHAR, one VARCHAR, other VARCHAR
-- order: control
WITH control AS (
    SELECT p.run_id, t.fullkey AS control, t.value::VARCHAR AS value
    FROM trace.run AS p, json_tree(p.policy) AS t
    WHERE p.run_id IN ($one::VARCHAR, $other::VARCHAR) AND t.type NOT IN ('OBJECT', 'ARRAY')
), before AS (
    SELECT control, value FROM control WHERE run_id = $one::VARCHAR
), later AS (
    SELECT control, value FROM control WHERE run_id = $other::VARCHAR
)
SELECT ltrim(coalesce(b.control, l.control), '$.') AS control, b.value AS one, l.value AS other
FROM before AS b
FULL JOIN later AS l ON l.control = b.control
WHERE b.value IS DISTINCT FROM l.value
ORDER BY control
