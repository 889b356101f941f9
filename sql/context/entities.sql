-- name: context.entities
-- doc: Nodes for the entity table: those that a question starts from, then the `answers` given, or what a bfs reached,
--   the nearest and the most connected first. Whatever has no more than a name stands in the relations alone.
-- params: answers STRUCT(question_id INTEGER, node_id INTEGER, place INTEGER)[], row_limit INTEGER
-- returns: question_id INTEGER, node_id INTEGER, name VARCHAR, kinds VARCHAR[], description VARCHAR, properties VARCHAR,
--   is_anchor BOOLEAN, total BIGINT
-- order: question_id, place
WITH named AS (
    SELECT question_id, item_id AS node_id, 0 AS depth, min(group_id) AS place, true AS is_anchor
    FROM seed
    WHERE item_kind = 'node'
    GROUP BY question_id, item_id
    UNION ALL
    SELECT question_id, node_id, 1, place, false
    FROM (
        SELECT unnest($answers::STRUCT(question_id INTEGER, node_id INTEGER, place INTEGER)[], recursive := true)
    )
    UNION ALL
    SELECT question_id, tail_id, depth, 0, false
    FROM walk
    WHERE kept AND view = 'pattern' AND rank IS NOT NULL AND depth > 0
), once AS (  -- an anchor may be an answer too
    SELECT question_id, node_id, first.depth AS depth, first.place AS place, first.is_anchor AS is_anchor
    FROM (
        SELECT question_id, node_id, min({'depth': depth, 'place': place, 'is_anchor': is_anchor}) AS first
        FROM named
        GROUP BY question_id, node_id
    )
), described AS (
    SELECT n.question_id, n.node_id, n.depth, n.place, n.is_anchor, v.name, v.kinds, v.description, v.degree,
           nullif(v.properties::VARCHAR, '{}') AS properties,
           v.origin = 'graph' OR len(v.kinds) > 0 AS is_typed
    FROM once AS n
    JOIN node AS v ON v.node_id = n.node_id
), placed AS (
    SELECT *,
           row_number() OVER (PARTITION BY question_id ORDER BY depth, place, degree DESC, node_id) AS number,
           count(*) OVER (PARTITION BY question_id) AS total
    FROM described
    WHERE description IS NOT NULL OR properties IS NOT NULL OR (is_anchor AND is_typed)
)
SELECT question_id, node_id, name, kinds, description, properties, is_anchor, total
FROM placed
WHERE number <= $row_limit::INTEGER
ORDER BY question_id, number
