-- name: ingest.graph_kinds
-- doc: Kinds of nodes that were given none. Where a relation such as `is_a`, `type` or `instance_of` leads from many nodes
--   to few that it leads no further from, its ends are the kinds of those many. All others take the kinds that their
--   relations' ends suggest: what a relation points to is of that kind, what it starts from "has" it.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET kinds = k.kinds
FROM (
    WITH bare AS (
        SELECT node_id, name
        FROM node
        WHERE origin = 'graph' AND len(kinds) = 0
    ), saying AS (  -- the last part of an address, camel case and marks read as blanks
        SELECT relation_id
        FROM relation
        WHERE trim(regexp_replace(lower(regexp_replace(regexp_extract(relation, '[^/#:]*$'), '([a-z])([A-Z])', '\1 \2', 'g')),
                                  '[^a-z0-9]+', ' ', 'g'))
              IN ('is a', 'isa', 'type', 'has type', 'is of type', 'kind', 'has kind', 'instance of', 'is instance of', 'p31')
    ), said AS (
        SELECT e.relation_id, e.source_id, e.target_id, f.source_id IS NOT NULL AS goes_on
        FROM edge AS e
        SEMI JOIN saying AS s ON s.relation_id = e.relation_id
        LEFT JOIN (
            SELECT DISTINCT relation_id, source_id
            FROM edge
        ) AS f ON f.relation_id = e.relation_id AND f.source_id = e.target_id
        WHERE e.origin = 'graph'
    ), telling AS (
        SELECT relation_id
        FROM said
        GROUP BY relation_id
        HAVING 2 * count(DISTINCT target_id) <= count(DISTINCT source_id)
           AND 10 * count(DISTINCT target_id) FILTER (goes_on) <= count(DISTINCT target_id)
    ), told AS (
        SELECT DISTINCT s.source_id AS node_id, t.name AS kind
        FROM said AS s
        SEMI JOIN telling AS r ON r.relation_id = s.relation_id
        SEMI JOIN bare AS b ON b.node_id = s.source_id
        JOIN node AS t ON t.node_id = s.target_id
    ), open AS (  -- where kinds are told, a number is a value and of no kind
        SELECT node_id
        FROM bare
        ANTI JOIN told ON told.node_id = bare.node_id
        WHERE NOT EXISTS (FROM telling) OR try_cast(name AS DOUBLE) IS NULL
    ), ended AS (
        SELECT e.source_id AS node_id, e.relation_id, 'has ' AS verb
        FROM edge AS e
        SEMI JOIN open AS b ON b.node_id = e.source_id
        ANTI JOIN telling AS t ON t.relation_id = e.relation_id
        WHERE e.origin = 'graph'
        UNION
        SELECT e.target_id, e.relation_id, ''
        FROM edge AS e
        SEMI JOIN open AS b ON b.node_id = e.target_id
        ANTI JOIN telling AS t ON t.relation_id = e.relation_id
        WHERE e.origin = 'graph'
    ), suggested AS (
        SELECT node_id, kind
        FROM told
        UNION ALL
        SELECT d.node_id, d.verb || r.relation
        FROM ended AS d
        JOIN relation AS r ON r.relation_id = d.relation_id
    )
    SELECT node_id, list_sort(list(DISTINCT kind)) AS kinds
    FROM suggested
    GROUP BY node_id
) AS k
WHERE node.node_id = k.node_id
