-- name: stage.question
-- doc: The questions of a batch with all that was read out of them: their vectors on the 4000 grid (none without an
--   embedder), terms with idf and their sum, names with what they are linked to, the automaton of a pattern. The views
--   question_term, cue_term, target, page and transition take it apart. `dimension` is written in as a literal,
--   since a type takes no parameter.
-- params: questions STRUCT(question_id INTEGER, text VARCHAR, embedding FLOAT[], idf BIGINT[], idf_total BIGINT,
--   terms STRUCT(term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT)[],
--   cues STRUCT(term_no INTEGER, term_id INTEGER, idf BIGINT)[],
--   targets STRUCT(group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER)[],
--   pages STRUCT(group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[], topics INTEGER[],
--   transitions STRUCT(state INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, next_state INTEGER, accepts
--   BOOLEAN)[], arms STRUCT(arm INTEGER, group_id INTEGER, node_id INTEGER, state INTEGER, last_state INTEGER)[])[],
--   dimension INTEGER
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE question AS
SELECT unnest($questions::STRUCT(
    question_id INTEGER, text VARCHAR, embedding FLOAT[$dimension], idf BIGINT[], idf_total BIGINT,
    terms STRUCT(term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT)[],
    cues STRUCT(term_no INTEGER, term_id INTEGER, idf BIGINT)[],
    targets STRUCT(group_id INTEGER, alias_key VARCHAR, weight DOUBLE, node_id INTEGER)[],
    pages STRUCT(group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[],
    topics INTEGER[],
    transitions STRUCT(
        state INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, next_state INTEGER, accepts BOOLEAN
    )[],
    arms STRUCT(arm INTEGER, group_id INTEGER, node_id INTEGER, state INTEGER, last_state INTEGER)[]
)[], recursive := true)
