-- name: refine.checked
-- doc: Which arrivals stand: those that every filter lets through. A value is a period, as is the bound: before is before its
--   first day, after is after its last. Filters that no single value decides are in slots.
-- params: filters STRUCT(number INTEGER, compare VARCHAR, text VARCHAR, low DOUBLE, high DOUBLE)[]
-- slots: different, lasting, missing
-- returns: question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER, paths BIGINT,
--   stands BOOLEAN
-- order: none
WITH filter AS (
    SELECT unnest($filters::STRUCT(number INTEGER, compare VARCHAR, text VARCHAR, low DOUBLE, high DOUBLE)[],
                  recursive := true)
), satisfied AS (
    SELECT DISTINCT v.question_id, v.node_id, v.edge_id, f.number
    FROM attribute AS v
    JOIN filter AS f ON f.number = v.number
    WHERE CASE WHEN f.compare = 'present' THEN true
               WHEN f.compare = 'missing' THEN false
               WHEN f.compare = 'contains' THEN contains(lower(v.text), lower(f.text))
               WHEN f.low IS NULL THEN CASE f.compare WHEN '=' THEN lower(v.text) = lower(f.text)
                                                      WHEN '<' THEN lower(v.text) < lower(f.text)
                                                      WHEN '>' THEN lower(v.text) > lower(f.text)
                                                      WHEN '<=' THEN lower(v.text) <= lower(f.text)
                                                      WHEN '>=' THEN lower(v.text) >= lower(f.text) END
               ELSE CASE f.compare WHEN '=' THEN v.low <= f.high AND v.high >= f.low
                                   WHEN '<' THEN v.high < f.low
                                   WHEN '>' THEN v.low > f.high
                                   WHEN '<=' THEN v.high <= f.high
                                   WHEN '>=' THEN v.low >= f.low
                                   WHEN 'between' THEN v.low >= f.low AND v.high <= f.high END
          END
    UNION ALL
    /*<different>*/ SELECT question_id, node_id, edge_id, number FROM attribute WHERE false /*</different>*/
    UNION ALL
    /*<lasting>*/ SELECT question_id, node_id, edge_id, number FROM attribute WHERE false /*</lasting>*/
    UNION ALL
    /*<missing>*/ SELECT question_id, node_id, edge_id, number FROM attribute WHERE false /*</missing>*/
)
SELECT r.question_id, r.arm, r.node_id, r.edge_id, r.path_id, r.depth, r.paths,
       count(DISTINCT s.number) = (SELECT count(DISTINCT number) FROM filter) AS stands
FROM arrival AS r
LEFT JOIN satisfied AS s
  ON s.question_id = r.question_id AND s.node_id = r.node_id AND (s.edge_id IS NULL OR s.edge_id = r.edge_id)
GROUP BY r.question_id, r.arm, r.node_id, r.edge_id, r.path_id, r.depth, r.paths
