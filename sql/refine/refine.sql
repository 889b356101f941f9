-- name: refine.refine
-- doc: One row per answer: filters, sets of anchors, how often it is reached, order, offset and limit, in this order.
--   What falls out names the control it fell by. Answers without a value come last.
-- params: filters STRUCT(number INTEGER, compare VARCHAR, text VARCHAR, low DOUBLE, high DOUBLE)[], row_per VARCHAR,
--   combine VARCHAR, included INTEGER, having VARCHAR, having_count INTEGER, having_of VARCHAR, sort_by VARCHAR,
--   descending BOOLEAN, extreme BOOLEAN, offset INTEGER, limit INTEGER, attribute VARCHAR
-- slots: meeting, often, degree
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER, value
--   VARCHAR, measure DOUBLE, paths BIGINT, edge_count BIGINT, degree INTEGER, edges INTEGER[], kept BOOLEAN, pruned_by
--   VARCHAR
-- order: question_id, kept DESC, rank, node_id, edge_id
WITH filter AS (
    SELECT unnest($filters::STRUCT(number INTEGER, compare VARCHAR, text VARCHAR, low DOUBLE, high DOUBLE)[],
                  recursive := true)
), satisfied AS (  -- the value is a period, as is the bound: before is before its first day, after is after its last
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
    SELECT v.question_id, v.node_id, v.edge_id, f.number  -- of several values none is the one
    FROM attribute AS v
    JOIN filter AS f ON f.number = v.number AND f.compare = '!='
    GROUP BY v.question_id, v.node_id, v.edge_id, f.number
    HAVING bool_and(CASE WHEN f.low IS NULL THEN lower(v.text) <> lower(f.text) ELSE v.low > f.high OR v.high < f.low END)
    UNION ALL
    SELECT v.question_id, v.node_id, v.edge_id, f.number  -- look-ups 101 and 102: when the edge began, and when it ended
    FROM attribute AS v
    JOIN filter AS f ON f.compare = 'during'
    WHERE v.number IN (101, 102) AND v.edge_id IS NOT NULL AND v.low IS NOT NULL
    GROUP BY v.question_id, v.node_id, v.edge_id, f.number
    HAVING coalesce(min(v.low) FILTER (v.number = 101) <= any_value(f.high), true)
       AND coalesce(max(v.high) FILTER (v.number = 102) >= any_value(f.low), true)
    UNION ALL
    SELECT r.question_id, r.node_id, r.edge_id, f.number
    FROM arrival AS r
    JOIN filter AS f ON f.compare = 'missing'
    ANTI JOIN attribute AS v
      ON v.question_id = r.question_id AND v.number = f.number AND v.node_id = r.node_id
         AND (v.edge_id IS NULL OR v.edge_id = r.edge_id)
), checked AS (
    SELECT r.question_id, r.arm, r.node_id, r.edge_id, r.path_id, r.depth, r.paths,
           count(DISTINCT s.number) = (SELECT count(DISTINCT number) FROM filter) AS stands
    FROM arrival AS r
    LEFT JOIN satisfied AS s
      ON s.question_id = r.question_id AND s.node_id = r.node_id AND (s.edge_id IS NULL OR s.edge_id = r.edge_id)
    GROUP BY r.question_id, r.arm, r.node_id, r.edge_id, r.path_id, r.depth, r.paths
), passed AS (
    SELECT question_id, arm, node_id, edge_id, path_id, depth, paths, stands,
           CASE WHEN $row_per::VARCHAR = 'edge' THEN edge_id END AS unit
    FROM (
        /*<meeting>*/ SELECT question_id, arm, node_id, edge_id, path_id, depth, paths, stands FROM checked /*</meeting>*/
    )
), answer AS (
    SELECT question_id, node_id, unit,
           min({'depth': depth, 'path_id': path_id}) AS nearest,
           bool_or(stands) AS stands,
           count(DISTINCT arm) FILTER (stands) AS arms,
           max(arm) FILTER (stands) AS last_arm,
           count(DISTINCT arm) FILTER (stands AND arm < $included::INTEGER) AS included,
           coalesce(sum(paths) FILTER (stands), 0)::BIGINT AS paths,
           coalesce(list(DISTINCT edge_id ORDER BY edge_id) FILTER (stands AND edge_id IS NOT NULL), []::INTEGER[]) AS edges
    FROM passed
    GROUP BY question_id, node_id, unit
), often AS (
    /*<often>*/
    SELECT question_id, node_id, unit, count(DISTINCT edge_id) AS edge_count FROM passed WHERE stands GROUP BY ALL
    /*</often>*/
), told AS (  -- a text is ordered by its place in the alphabet
    SELECT DISTINCT p.question_id, p.node_id, p.unit, v.text,
           CASE WHEN v.type IN ('number', 'date') THEN v.low
                ELSE dense_rank() OVER (PARTITION BY p.question_id ORDER BY lower(v.text)) END AS measure
    FROM passed AS p
    JOIN attribute AS v
      ON v.question_id = p.question_id AND v.node_id = p.node_id AND (v.edge_id IS NULL OR v.edge_id = p.edge_id)
    WHERE v.number = 0 AND p.stands
), value AS (
    SELECT question_id, node_id, unit,
           list(text ORDER BY CASE WHEN $descending::BOOLEAN THEN -measure ELSE measure END NULLS LAST, text) AS texts,
           CASE WHEN $descending::BOOLEAN THEN max(measure) ELSE min(measure) END AS measure
    FROM told
    GROUP BY question_id, node_id, unit
), arms AS (
    SELECT question_id, count(DISTINCT arm) AS arms
    FROM arm
    GROUP BY question_id
), counted AS (
    /*<degree>*/ SELECT node_id, degree, []::INTEGER[] AS edges FROM node /*</degree>*/
), judged AS (
    SELECT a.question_id, a.node_id, a.unit, a.nearest, a.paths, coalesce(o.edge_count, 0) AS edge_count, n.degree,
           list_sort(list_distinct(list_concat(a.edges, n.edges))) AS edges,
           v.texts,
           CASE $sort_by::VARCHAR WHEN 'attribute' THEN v.measure WHEN 'paths' THEN a.paths
                                  WHEN 'edges' THEN coalesce(o.edge_count, 0) WHEN 'degree' THEN n.degree END::DOUBLE AS measure,
           CASE $having_of::VARCHAR WHEN 'paths' THEN a.paths WHEN 'degree' THEN n.degree
                               ELSE coalesce(o.edge_count, 0) END AS often,
           CASE WHEN NOT a.stands THEN 'filters'
                WHEN $combine::VARCHAR = 'intersection' AND a.arms < m.arms THEN 'combine'
                WHEN $combine::VARCHAR = 'difference'
                     AND (a.last_arm >= $included::INTEGER OR a.included < $included::INTEGER) THEN 'combine'
                WHEN $having::VARCHAR = '=' AND often <> $having_count::INTEGER THEN 'having'
                WHEN $having::VARCHAR = '>=' AND often < $having_count::INTEGER THEN 'having'
                WHEN $having::VARCHAR = '<=' AND often > $having_count::INTEGER THEN 'having' END AS fell
    FROM answer AS a
    JOIN counted AS n ON n.node_id = a.node_id
    LEFT JOIN often AS o
      ON o.question_id = a.question_id AND o.node_id = a.node_id AND o.unit IS NOT DISTINCT FROM a.unit
    LEFT JOIN value AS v
      ON v.question_id = a.question_id AND v.node_id = a.node_id AND v.unit IS NOT DISTINCT FROM a.unit
    LEFT JOIN arms AS m ON m.question_id = a.question_id
), best AS (
    SELECT question_id, CASE WHEN $descending::BOOLEAN THEN max(measure) ELSE min(measure) END AS measure
    FROM judged
    WHERE fell IS NULL
    GROUP BY question_id
), left_over AS (
    SELECT j.*, coalesce(j.fell, CASE WHEN $extreme::BOOLEAN AND j.measure IS DISTINCT FROM b.measure THEN 'extreme' END) AS why
    FROM judged AS j
    LEFT JOIN best AS b ON b.question_id = j.question_id
), placed AS (
    SELECT *,
           row_number() OVER (
               PARTITION BY question_id, why IS NULL
               ORDER BY CASE WHEN $descending::BOOLEAN THEN -measure ELSE measure END NULLS LAST, nearest.depth, node_id, unit
           ) - $offset::INTEGER AS place
    FROM left_over
), final AS (
    SELECT *,
           coalesce(why, CASE WHEN place < 1 THEN 'offset' WHEN place > $limit::INTEGER THEN 'limit' END) AS pruned_by
    FROM placed
)
SELECT question_id,
       CASE WHEN pruned_by IS NULL THEN place END::INTEGER AS rank,
       node_id,
       unit AS edge_id,
       nearest.path_id AS path_id,
       nearest.depth AS depth,
       CASE WHEN $sort_by::VARCHAR = 'attribute' THEN texts[1]
            WHEN $attribute::VARCHAR IS NOT NULL THEN array_to_string(texts, ', ')
            WHEN $sort_by::VARCHAR <> 'none' THEN measure::BIGINT::VARCHAR
            WHEN $having::VARCHAR <> 'none' THEN often::VARCHAR END AS value,
       measure, paths, edge_count, degree, edges,
       pruned_by IS NULL AS kept,
       pruned_by
FROM final
ORDER BY question_id, kept DESC, rank, node_id, edge_id
