-- name: link.terms
-- doc: How telling some stems are: 1 is a stem of one sentence, 0 one of all.
-- params: stems VARCHAR[]
-- returns: term VARCHAR, specificity DOUBLE
-- order: term
SELECT term, specificity / 65536.0::DOUBLE AS specificity
FROM term
WHERE term IN (SELECT unnest($stems::VARCHAR[]))
ORDER BY term
