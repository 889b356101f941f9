-- name: stage.query
-- doc: What is looked for beside the question itself: the texts that search the seed indexes (the question, its keywords,
--   or one for each target) and the facets whose coverage completes the evidence, each with vector and terms.
-- params: queries STRUCT(question_id INTEGER, role VARCHAR, query_no INTEGER, group_id INTEGER, text VARCHAR, embedding
--   FLOAT[], terms STRUCT(term_id INTEGER, idf BIGINT)[], idf_total BIGINT)[], dimension INTEGER
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE query AS
SELECT unnest($queries::STRUCT(
    question_id INTEGER, role VARCHAR, query_no INTEGER, group_id INTEGER, text VARCHAR, embedding FLOAT[$dimension],
    terms STRUCT(term_id INTEGER, idf BIGINT)[], idf_total BIGINT
)[], recursive := true)
