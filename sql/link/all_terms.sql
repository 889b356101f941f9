-- name: link.all_terms
-- doc: Every term with how telling it is: what link.terms chooses from.
-- params: none
-- returns: term VARCHAR, term_id INTEGER, idf BIGINT, specificity DOUBLE
-- order: term_id
SELECT term, term_id, idf, specificity / 65536.0::DOUBLE AS specificity
FROM term
ORDER BY term_id
