-- name: ingest.derive_schema_property
-- doc: Which properties the nodes of a kind and the edges of a relation have, and relations read as properties by the
--   names they lead to; of one type where nine of ten values are. Years alone are dates where the name speaks of time.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE schema_property AS
WITH node_value AS (
    SELECT unnest(CASE WHEN len(coalesce(kinds, [])) = 0 THEN [''] ELSE kinds END) AS label, properties, property
    FROM (SELECT kinds, properties, unnest(json_keys(properties)) AS property
          FROM node
          WHERE json_type(properties) = 'OBJECT')
), edge_value AS (
    SELECT r.relation AS label, e.properties, unnest(json_keys(e.properties)) AS property
    FROM edge AS e
    JOIN relation AS r ON r.relation_id = e.relation_id
    WHERE json_type(e.properties) = 'OBJECT'
), told AS (
    SELECT 'node' AS owner, label, property,
           json_extract_string(properties, '/' || replace(replace(property, '~', '~0'), '/', '~1')) AS text,
           1::BIGINT AS copies
    FROM node_value
    UNION ALL
    SELECT 'edge', label, property,
           json_extract_string(properties, '/' || replace(replace(property, '~', '~0'), '/', '~1')),
           1
    FROM edge_value
    UNION ALL
    SELECT 'relation', unnest(CASE WHEN len(coalesce(s.kinds, [])) = 0 THEN [''] ELSE s.kinds END), r.relation, t.name, count(*)
    FROM edge AS e
    JOIN relation AS r ON r.relation_id = e.relation_id
    JOIN node AS s ON s.node_id = e.source_id
    JOIN node AS t ON t.node_id = e.target_id
    WHERE e.origin = 'graph'
    GROUP BY r.relation, s.kinds, t.name
), marked AS (
    SELECT owner, label, property, copies,
           lower(text) IN ('true', 'false') AS is_bool,
           regexp_matches(text, '^[0-2][0-9]{3}(\.0+)?$') AS is_year,
           regexp_matches(text, '^[+-]?[0-9]{4,6}-[0-9]{2}(-[0-9]{2})?([T ].*)?$')
           OR try_strptime(text, ['%d %B %Y', '%B %d, %Y', '%d %b %Y', '%b %d, %Y', '%Y/%m/%d', '%B %Y']) IS NOT NULL
               AS is_date,
           coalesce(isfinite(try_cast(CASE
               WHEN regexp_matches(text, '^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$') THEN replace(text, ',', '') ELSE text
           END AS DOUBLE)), false) AS is_number
    FROM told
    WHERE text IS NOT NULL
), counted AS (
    SELECT owner, label, property,
           sum(copies)::BIGINT AS value_count,
           coalesce(sum(copies) FILTER (is_bool), 0)::BIGINT AS bools,
           coalesce(sum(copies) FILTER (is_year), 0)::BIGINT AS years,
           coalesce(sum(copies) FILTER (is_date), 0)::BIGINT AS dates,
           coalesce(sum(copies) FILTER (is_number), 0)::BIGINT AS numbers,
           regexp_matches(
               lower(regexp_replace(property, '([a-z])([A-Z])', '\1 \2', 'g')),
               '(^|[^a-z])(years?|dates?|since|until|born|birth|died|death|founded|founding|established'
               '|inception|opened|closed|start|started|begin|began|end|ended|released?|created|built|published|completed)'
               '([^a-z]|$)'
           ) AS of_time
    FROM marked
    GROUP BY owner, label, property
)
SELECT owner,
       label,
       property,
       CASE WHEN 10 * bools >= 9 * value_count THEN 'bool'
            WHEN 10 * (dates + years) >= 9 * value_count AND (dates > 0 OR of_time) THEN 'date'
            WHEN 10 * numbers >= 9 * value_count THEN 'number'
            ELSE 'text' END AS type,
       value_count
FROM counted
ORDER BY owner, label, property
