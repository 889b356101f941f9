-- name: ingest.graph_kinds
-- doc: Nodes without a kind take the kinds that their relations' ends suggest: what a relation points to is of
--   that kind, what it starts from "has" it.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET kinds = k.kinds
FROM (
    WITH bare AS (
        SELECT node_id
        FROM node
        WHERE origin = 'graph' AND len(kinds) = 0
    ), ended AS (
        SELECT DISTINCT e.source_id AS node_id, e.relation_id, 'has ' AS verb
        FROM edge AS e
        SEMI JOIN bare AS b ON b.node_id = e.source_id
        WHERE e.origin = 'graph'
        UNION ALL
        SELECT DISTINCT e.target_id, e.relation_id, ''
        FROM edge AS e
        SEMI JOIN bare AS b ON b.node_id = e.target_id
        WHERE e.origin = 'graph'
    )
    SELECT d.node_id, list_sort(list(DISTINCT d.verb || r.relation)) AS kinds
    FROM ended AS d
    JOIN relation AS r ON r.relation_id = d.relation_id
    GROUP BY d.node_id
) AS k
WHERE node.node_id = k.node_id
