-- name: context.valued
-- doc: The values of the attribute that the answers kept have, the most frequent first, each as a line that can be cited: in
--   how many answers it is, and the first five of them; and `overall`, how many of the answers have no value.
-- params: having VARCHAR, having_count INTEGER, descending BOOLEAN, extreme BOOLEAN, offset INTEGER, limit INTEGER,
--   attribute VARCHAR
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, name VARCHAR, depth INTEGER, value VARCHAR, text VARCHAR,
--   overall VARCHAR
-- order: question_id, rank
WITH held AS (
    SELECT DISTINCT r.question_id, r.rank, r.depth, v.text AS value, n.name
    FROM refine AS r
    JOIN node AS n ON n.node_id = r.node_id
    LEFT JOIN attribute AS v
      ON v.question_id = r.question_id AND v.number = 0 AND v.node_id = r.node_id
     AND (v.edge_id IS NULL OR list_contains(r.edges, v.edge_id))
    WHERE r.kept
), tally AS (
    SELECT question_id, value,
           count(*) AS answers,
           min(depth) AS depth,
           list(name ORDER BY rank) AS names
    FROM held
    WHERE value IS NOT NULL
    GROUP BY question_id, value
), chosen AS (
    SELECT *,
           CASE WHEN $descending::BOOLEAN THEN -answers ELSE answers END AS place,
           min(place) OVER (PARTITION BY question_id) AS first_place
    FROM tally
    WHERE CASE $having::VARCHAR WHEN '=' THEN answers = $having_count::INTEGER
                                WHEN '>=' THEN answers >= $having_count::INTEGER
                                WHEN '<=' THEN answers <= $having_count::INTEGER
                                ELSE true END
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY question_id ORDER BY place, value) - $offset::INTEGER AS rank
    FROM chosen
    WHERE NOT $extreme::BOOLEAN OR place = first_place
), without AS (
    SELECT question_id, count(DISTINCT rank) AS answers, count(*) FILTER (value IS NULL) AS missing
    FROM held
    GROUP BY question_id
)
SELECT r.question_id,
       r.rank::INTEGER AS rank,
       0 AS node_id,
       r.value AS name,
       r.depth,
       r.answers::VARCHAR AS value,
       r.value || ': ' || r.answers || ' (' || array_to_string(r.names[1:5], ', ')
       || CASE WHEN r.answers > 5 THEN ' and ' || (r.answers - 5) || ' more' ELSE '' END || ')' AS text,
       CASE WHEN w.missing > 0 THEN w.missing || ' of ' || w.answers || ' have no ' || $attribute::VARCHAR END AS overall
FROM ranked AS r
JOIN without AS w ON w.question_id = r.question_id
WHERE r.rank >= 1 AND ($limit::INTEGER IS NULL OR r.rank <= $limit::INTEGER)
ORDER BY r.question_id, r.rank
