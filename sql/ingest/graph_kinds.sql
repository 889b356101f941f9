-- name: ingest.graph_kinds
-- doc: Nodes without a kind take the kinds that their relations' ends suggest: what a relation points to is of
--   that kind, what it starts from "has" it.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET kinds = k.kinds
FROM (
    SELECT node_id, list_sort(list(DISTINCT kind)) AS kinds
    FROM (
        SELECT e.source_id AS node_id, 'has ' || r.relation AS kind
        FROM edge AS e
        JOIN relation AS r ON r.relation_id = e.relation_id
        WHERE e.origin = 'graph'
        UNION ALL
        SELECT e.target_id, r.relation
        FROM edge AS e
        JOIN relation AS r ON r.relation_id = e.relation_id
        WHERE e.origin = 'graph'
    )
    GROUP BY node_id
) AS k
WHERE node.node_id = k.node_id AND node.origin = 'graph' AND len(node.kinds) = 0
