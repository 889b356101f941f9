-- name: functions.beam
-- doc: The scored path beam (eq. 8) from the nodes of `seed` towards the vectors of `question`: what a path comes over is
--   scored by cosine, or by the words of `question_term` where there is no vector; the best of each depth go on.
-- params: none
-- slots: names, nodes, relations, edges, connector, walk
-- returns: depth INTEGER, rank INTEGER, tail_id INTEGER, nodes INTEGER[], edges INTEGER[], score DOUBLE
-- order: none
WITH target AS (
    SELECT 0 AS question_id, 0 AS group_id, 0 AS node_id WHERE false
), query AS (
    SELECT question_id, 'facet' AS role, 0 AS query_no, embedding, []::STRUCT(term_id INTEGER, idf BIGINT)[] AS terms,
           1::BIGINT AS idf_total
    FROM question
    WHERE false
), name_score AS (
    /*<names>*/ SELECT * FROM name_score /*</names>*/
), node_score AS (
    /*<nodes>*/ SELECT * FROM node_score /*</nodes>*/
), relation_score AS (
    /*<relations>*/ SELECT * FROM relation_score /*</relations>*/
), edge_score AS (
    /*<edges>*/ SELECT * FROM edge_score /*</edges>*/
), connector AS (
    /*<connector>*/ SELECT * FROM connector /*</connector>*/
), walked AS (
    /*<walk>*/ SELECT depth, rank, tail_id, nodes, edges, score, kept FROM walk /*</walk>*/
)
SELECT depth, rank, tail_id, nodes, edges, score
FROM walked
WHERE depth > 0 AND kept
