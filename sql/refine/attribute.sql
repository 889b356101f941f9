-- name: refine.attribute
-- doc: The values of each look-up for the nodes and edges arrived at, and for all nodes of the kind they are compared with:
--   a property of the node or the edge (its path is a value; of a list each item), the name itself, or the names that a
--   relation leads to.
-- params: lookups STRUCT(number INTEGER, owner VARCHAR, pointer VARCHAR, relation_id INTEGER, type VARCHAR)[],
--   overlap_kind VARCHAR
-- slots: typed
-- returns: question_id INTEGER, number INTEGER, node_id INTEGER, edge_id INTEGER, text VARCHAR, type VARCHAR, low DOUBLE,
--   high DOUBLE
-- order: question_id, number, node_id, edge_id, low, text
WITH lookup AS (
    SELECT unnest($lookups::STRUCT(
        number INTEGER, owner VARCHAR, pointer VARCHAR, relation_id INTEGER, type VARCHAR
    )[], recursive := true)
), item AS (
    SELECT question_id, node_id
    FROM arrival
    UNION
    SELECT q.question_id, v.node_id
    FROM question AS q
    JOIN node AS v ON list_contains(v.kinds, $overlap_kind::VARCHAR)
), held AS (
    SELECT i.question_id, k.number, i.node_id, NULL::INTEGER AS edge_id, json_extract(v.properties, k.pointer) AS value, k.type
    FROM item AS i
    JOIN node AS v ON v.node_id = i.node_id
    JOIN lookup AS k ON k.owner = 'node'
    UNION ALL
    SELECT DISTINCT a.question_id, k.number, a.node_id, a.edge_id, json_extract(e.properties, k.pointer), k.type
    FROM arrival AS a
    JOIN edge AS e ON e.edge_id = a.edge_id
    JOIN lookup AS k ON k.owner = 'edge'
), told AS (
    SELECT question_id, number, node_id, edge_id,
           unnest(CASE WHEN json_type(value) = 'ARRAY' THEN from_json(value, '["VARCHAR"]')
                       ELSE [json_extract_string(value, '$')] END) AS text,
           type
    FROM held
    UNION ALL
    SELECT i.question_id, k.number, i.node_id, NULL, v.name, k.type
    FROM item AS i
    JOIN node AS v ON v.node_id = i.node_id
    JOIN lookup AS k ON k.owner = 'name'
    UNION ALL
    SELECT DISTINCT i.question_id, k.number, i.node_id, NULL::INTEGER, v.name, k.type
    FROM item AS i
    JOIN adjacency AS a ON a.node_id = i.node_id AND a.forward
    JOIN lookup AS k ON k.owner = 'relation' AND k.relation_id = a.relation_id
    JOIN node AS v ON v.node_id = a.neighbour_id
), typed AS (
    /*<typed>*/ SELECT *, NULL::DOUBLE AS low, NULL::DOUBLE AS high FROM told /*</typed>*/
)
SELECT question_id, number, node_id, edge_id, text, type, low, high
FROM typed
WHERE text IS NOT NULL
ORDER BY question_id, number, node_id, edge_id, low, text
