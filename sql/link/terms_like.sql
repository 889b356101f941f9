-- name: link.terms_like
-- doc: link.terms of one stem, for a corpus of so many terms that they are not all read: they are stored in their order,
--   and those that begin alike are one range.
-- params: stem VARCHAR
-- returns: stem VARCHAR, term_id INTEGER, exact BOOLEAN, idf BIGINT, specificity DOUBLE
-- order: term_id
SELECT $stem::VARCHAR AS stem,
       term_id,
       term = $stem::VARCHAR AS exact,
       idf,
       specificity / 65536.0::DOUBLE AS specificity
FROM term
WHERE term >= left($stem::VARCHAR, 4)
  AND term < left($stem::VARCHAR, 4) || chr(1114111)
  AND (term = $stem::VARCHAR
       OR (length(term) >= 4 AND length($stem::VARCHAR) >= 4
           AND (starts_with(term, $stem::VARCHAR) OR starts_with($stem::VARCHAR, term))))
ORDER BY term_id
