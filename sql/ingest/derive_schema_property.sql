-- name: ingest.derive_schema_property
-- doc: Which properties the nodes of a kind and the edges of a relation have, and relations read as properties by the
--   names they lead to; of one type where nine of ten values are. Years alone are dates where the name speaks of time.
--   What a property holds is kept where it is at most 200 texts, none longer than 40 characters.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE schema_property AS
WITH node_value AS (
    SELECT unnest(CASE WHEN len(coalesce(kinds, [])) = 0 THEN [''] ELSE kinds END) AS label, properties, property
    FROM (SELECT kinds, properties, unnest(json_keys(properties)) AS property
          FROM node
          WHERE properties IS NOT NULL AND json_type(properties) = 'OBJECT')
), edge_value AS (
    SELECT r.relation AS label, e.properties, unnest(json_keys(e.properties)) AS property
    FROM edge AS e
    JOIN relation AS r ON r.relation_id = e.relation_id
    WHERE e.properties IS NOT NULL AND json_type(e.properties) = 'OBJECT'
), held AS (
    SELECT 'node' AS owner, label, property,
           json_extract(properties, '/' || replace(replace(property, '~', '~0'), '/', '~1')) AS value
    FROM node_value
    UNION ALL
    SELECT 'edge', label, property, json_extract(properties, '/' || replace(replace(property, '~', '~0'), '/', '~1'))
    FROM edge_value
), told AS (  -- each item of a list; what relations lead to, each name once
    SELECT owner, label, property, NULL::INTEGER AS node_id,
           unnest(CASE WHEN json_type(value) = 'ARRAY' THEN from_json(value, '["VARCHAR"]')
                       ELSE [json_extract_string(value, '$')] END) AS text
    FROM held
    UNION ALL
    SELECT 'relation', NULL, NULL, node_id, name
    FROM node
    WHERE node_id IN (SELECT target_id FROM edge WHERE origin = 'graph')
), marked AS (
    SELECT owner, label, property, node_id,
           lower(text) IN ('true', 'false') AS is_bool,
           regexp_matches(text, '^[0-2][0-9]{3}(\.0+)?$') AS is_year,
           regexp_matches(text, '^[+-]?[0-9]{4,6}-[0-9]{2}(-[0-9]{2})?([T ].*)?$')
           OR CASE WHEN regexp_matches(text, '^\s*[+-]?([0-9]|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*[0-9])')
                   THEN try_strptime(
                       text, ['%d %B %Y', '%B %d, %Y', '%d %b %Y', '%b %d, %Y', '%Y/%m/%d', '%B %Y']
                   ) IS NOT NULL
                   ELSE false END AS is_date,
           coalesce(isfinite(try_cast(CASE
               WHEN regexp_matches(text, '^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$') THEN replace(text, ',', '') ELSE text
           END AS DOUBLE)), false) AS is_number
    FROM told
    WHERE text IS NOT NULL
), kind_set AS (  -- few sets of kinds serve all nodes
    SELECT kinds, min(node_id) AS set_no
    FROM node
    GROUP BY kinds
), coded AS (
    SELECT v.node_id, k.set_no
    FROM node AS v
    JOIN kind_set AS k ON k.kinds IS NOT DISTINCT FROM v.kinds
), led AS (
    SELECT s.set_no, e.relation_id, m.is_bool, m.is_year, m.is_date, m.is_number, count(*) AS copies
    FROM edge AS e
    JOIN coded AS s ON s.node_id = e.source_id
    JOIN marked AS m ON m.node_id = e.target_id
    WHERE e.origin = 'graph'
    GROUP BY ALL
), valued AS (
    SELECT owner, label, property, is_bool, is_year, is_date, is_number, 1::BIGINT AS copies
    FROM marked
    WHERE node_id IS NULL
    UNION ALL
    SELECT 'relation', unnest(CASE WHEN len(coalesce(k.kinds, [])) = 0 THEN [''] ELSE k.kinds END), r.relation,
           l.is_bool, l.is_year, l.is_date, l.is_number, l.copies
    FROM led AS l
    JOIN kind_set AS k ON k.set_no = l.set_no
    JOIN relation AS r ON r.relation_id = l.relation_id
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
               '|inception|opened|closed|start|started|begin|began|end|ended|released?|created|built|published|completed'
               '|formed|launched|recorded|joined|signed|elected|married|retired|invented|discovered|introduced|issued)'
               '([^a-z]|$)'
           ) AS of_time
    FROM valued
    GROUP BY owner, label, property
), texts AS (
    SELECT owner, label, property, list(text ORDER BY text) AS texts
    FROM (SELECT DISTINCT owner, label, property, text
          FROM told
          JOIN (SELECT owner, label, property
                FROM told
                WHERE node_id IS NULL
                GROUP BY owner, label, property
                HAVING max(length(text)) <= 40 AND approx_count_distinct(text) <= 300) USING (owner, label, property)
          WHERE text IS NOT NULL)
    GROUP BY owner, label, property
    HAVING count(*) <= 200
)
SELECT owner,
       label,
       property,
       CASE WHEN 10 * bools >= 9 * value_count THEN 'bool'
            WHEN 10 * (dates + years) >= 9 * value_count AND (dates > 0 OR of_time) THEN 'date'
            WHEN 10 * numbers >= 9 * value_count THEN 'number'
            ELSE 'text' END AS type,
       value_count,
       CASE WHEN type = 'text' THEN t.texts END AS texts
FROM counted
LEFT JOIN texts AS t USING (owner, label, property)
ORDER BY owner, label, property
