-- name: link.terms
-- doc: Terms that are a stem, or begin alike with four letters or more (director ~ direct), with how telling
--   they are: 1 is a stem of one sentence, 0 one of all.
-- params: stems VARCHAR[]
-- returns: stem VARCHAR, term_id INTEGER, exact BOOLEAN, idf BIGINT, specificity DOUBLE
-- order: stem, term_id
SELECT s.stem,
       t.term_id,
       t.term = s.stem AS exact,
       t.idf,
       t.specificity / 65536.0::DOUBLE AS specificity
FROM (SELECT unnest($stems::VARCHAR[]) AS stem) AS s
JOIN term AS t ON left(t.term, 4) = left(s.stem, 4)
WHERE t.term = s.stem
   OR (length(t.term) >= 4 AND length(s.stem) >= 4 AND (starts_with(t.term, s.stem) OR starts_with(s.stem, t.term)))
ORDER BY s.stem, t.term_id
