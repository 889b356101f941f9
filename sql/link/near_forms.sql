-- name: link.near_forms
-- doc: Words of the corpus that a word may be, misspelled: the same first letter, and one edit, two from eight letters
--   on (three letters and fewer: none). An edit is a letter more, less or other, or two letters that change places.
-- params: words VARCHAR[]
-- returns: word VARCHAR, term_id INTEGER, edits BIGINT
-- order: word, edits, term_id
WITH asked AS (
    SELECT DISTINCT unnest($words::VARCHAR[]) AS word
), bounded AS (
    SELECT word, CASE WHEN length(word) >= 8 THEN 2 WHEN length(word) >= 4 THEN 1 ELSE 0 END AS allowed
    FROM asked
), near AS (
    SELECT b.word, b.allowed, f.term_id, damerau_levenshtein(f.form, b.word) AS edits
    FROM bounded AS b
    JOIN term_form AS f ON left(f.form, 1) = left(b.word, 1)
    WHERE abs(length(f.form) - length(b.word)) <= b.allowed
)
SELECT word, term_id, min(edits) AS edits
FROM near
WHERE edits <= allowed
GROUP BY word, term_id
ORDER BY word, edits, term_id
