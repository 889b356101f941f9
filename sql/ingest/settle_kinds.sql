-- name: ingest.settle_kinds
-- doc: Kinds and description of a node of the text are what a model said of it in any chunk: every kind, and the first
--   description. Another description needs another vector.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET kinds = s.kinds,
    description = s.description,
    embedding = CASE WHEN node.description IS NOT DISTINCT FROM s.description THEN node.embedding END
FROM (
    WITH entity AS (
        SELECT chunk_id,
               unnest(from_json(facts -> '$.entities',
                                '[{"key": "VARCHAR", "kind": "VARCHAR", "description": "VARCHAR"}]')) AS said
        FROM extraction
        WHERE facts IS NOT NULL
    ), settled AS (
        SELECT said.key AS key,
               list_sort(list_distinct(list(said.kind) FILTER (WHERE said.kind <> ''))) AS kinds,
               arg_min(said.description, chunk_id) FILTER (WHERE said.description <> '') AS description
        FROM entity
        GROUP BY said.key
    )
    SELECT v.node_id, t.kinds, t.description
    FROM node AS v
    LEFT JOIN settled AS t ON t.key = v.key
    WHERE v.origin = 'text'
) AS s
WHERE s.node_id = node.node_id
  AND (node.kinds IS DISTINCT FROM s.kinds OR node.description IS DISTINCT FROM s.description)
