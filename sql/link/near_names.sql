-- name: link.near_names
-- doc: Nodes of an imported graph whose names hold most of some words, in one of the spellings given for each: by the
--   number of words, then BM25 over the names.
-- params: spellings STRUCT(word_no INTEGER, term_id INTEGER)[], least INTEGER, row_limit INTEGER
-- returns: node_id INTEGER, words BIGINT, weight BIGINT
-- order: words DESC, weight DESC, node_id
WITH spelling AS (
    SELECT unnest($spellings::STRUCT(word_no INTEGER, term_id INTEGER)[], recursive := true)
), hit AS (
    SELECT s.word_no, p.node_id, max(p.weight) AS weight
    FROM spelling AS s
    JOIN name_posting AS p ON p.term_id = s.term_id
    GROUP BY s.word_no, p.node_id
), ranked AS (
    SELECT node_id, count(*) AS words, sum(weight)::BIGINT AS weight
    FROM hit
    GROUP BY node_id
    HAVING count(*) >= $least::INTEGER
)
SELECT r.node_id, r.words, r.weight
FROM ranked AS r
JOIN node AS v ON v.node_id = r.node_id
WHERE v.origin = 'graph'
ORDER BY r.words DESC, r.weight DESC, r.node_id
LIMIT $row_limit::INTEGER
