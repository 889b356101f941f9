-- name: ingest.graph_node_changes
-- doc: What an import tells otherwise of nodes that the corpus has: a property, the name, kind or description that is
--   given takes the place of the old one, what is not given stays. A name or description that changes takes the vector
--   with it.
-- params: none
-- returns: node_id INTEGER, name VARCHAR, kinds VARCHAR[], description VARCHAR, properties VARCHAR, is_renamed BOOLEAN
-- order: node_id
WITH told AS (
    SELECT v.node_id,
           CASE WHEN i.name = i.key THEN v.name ELSE i.name END AS name,
           CASE WHEN i.kind IS NULL THEN v.kinds ELSE [i.kind] END AS kinds,
           coalesce(i.description, v.description) AS description,
           CASE WHEN i.properties IS NULL THEN v.properties
                ELSE json_merge_patch(coalesce(v.properties, '{}'::JSON), i.properties::JSON) END AS properties,
           v.name AS old_name,
           v.kinds AS old_kinds,
           v.description AS old_description,
           v.properties AS old_properties
    FROM incoming AS i
    JOIN node AS v ON v.node_id = i.node_id
)
SELECT node_id,
       name,
       kinds,
       description,
       properties::VARCHAR AS properties,
       name <> old_name OR description IS DISTINCT FROM old_description AS is_renamed
FROM told
WHERE name <> old_name
   OR kinds IS DISTINCT FROM old_kinds
   OR description IS DISTINCT FROM old_description
   OR json_merge_patch(properties, '{}'::JSON)::VARCHAR
      IS DISTINCT FROM json_merge_patch(old_properties, '{}'::JSON)::VARCHAR
ORDER BY node_id
