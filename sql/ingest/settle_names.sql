-- name: ingest.settle_names
-- doc: A node of the text is called what its first title says, else what its first mention says: the same name
--   whatever came and went before. A new name has no vector yet.
-- params: none
-- slots: none
-- returns: none
-- order: none
UPDATE node
SET name = s.name, embedding = NULL
FROM (
    WITH titled AS (
        SELECT node_id, arg_min(alias, (chunk_id, -length(alias), alias)) AS name
        FROM alias
        WHERE is_title
        GROUP BY node_id
    ), named AS (
        SELECT node_id, min((chunk_id, char_start, -char_end)) AS place
        FROM mention
        GROUP BY node_id
    ), spelled AS (
        SELECT m.node_id, substr(c.text, m.place[2] + 1, -m.place[3] - m.place[2]) AS name
        FROM named AS m
        JOIN chunk AS c ON c.chunk_id = m.place[1]
    )
    SELECT v.node_id, trim(regexp_replace(coalesce(t.name, s.name), '[\s\p{Z}]+', ' ', 'g')) AS name
    FROM node AS v
    LEFT JOIN titled AS t ON t.node_id = v.node_id
    LEFT JOIN spelled AS s ON s.node_id = v.node_id
    WHERE v.origin = 'text'
) AS s
WHERE s.node_id = node.node_id AND s.name <> node.name
