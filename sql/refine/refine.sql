-- name: refine.refine
-- doc: One row per answer: filters, sets of anchors, how often it is reached, order, offset and limit, in this order.
--   What falls out names the control it fell by. Answers without a value come last.
-- params: row_per VARCHAR, combine VARCHAR, included INTEGER, having VARCHAR, having_count INTEGER, having_of VARCHAR,
--   sort_by VARCHAR, descending BOOLEAN, extreme BOOLEAN, offset INTEGER, limit INTEGER, attribute VARCHAR
-- slots: checked, meeting, often, value, degree
-- returns: question_id INTEGER, rank INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER, value
--   VARCHAR, measure DOUBLE, paths BIGINT, edge_count BIGINT, degree INTEGER, edges INTEGER[], kept BOOLEAN, pruned_by
--   VARCHAR
-- order: question_id, kept DESC, rank, node_id, edge_id
WITH checked AS (  -- what the filters let through; without filters everything
    /*<checked>*/
    SELECT DISTINCT question_id, arm, node_id, edge_id, path_id, depth, paths, true AS stands FROM arrival
    /*</checked>*/
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
), value AS (  -- what the answers are ordered by, or asked for
    /*<value>*/
    SELECT question_id, node_id, unit, NULL::VARCHAR[] AS texts, NULL::DOUBLE AS measure FROM passed WHERE false
    /*</value>*/
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
                                  WHEN 'degree' THEN n.degree
                                  WHEN 'edges' THEN coalesce(o.edge_count, 0)
                                  WHEN 'starts' THEN coalesce(o.edge_count, 0) END::DOUBLE AS measure,
           CASE $having_of::VARCHAR WHEN 'paths' THEN a.paths WHEN 'degree' THEN n.degree
                               ELSE coalesce(o.edge_count, 0) END AS often,
           CASE WHEN NOT a.stands THEN 'filters'
                WHEN $combine::VARCHAR = 'intersection' AND a.arms < m.arms THEN 'combine'
                WHEN $combine::VARCHAR = 'difference'
                     AND (a.last_arm >= $included::INTEGER OR a.included < $included::INTEGER) THEN 'combine'
                WHEN $row_per::VARCHAR = 'value' THEN NULL  -- what follows is of the values: context/valued.sql
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
           coalesce(why, CASE WHEN $row_per::VARCHAR = 'value' THEN NULL
                              WHEN place < 1 THEN 'offset' WHEN place > $limit::INTEGER THEN 'limit' END) AS pruned_by
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
