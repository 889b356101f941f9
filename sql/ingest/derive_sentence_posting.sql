-- name: ingest.derive_sentence_posting
-- doc: Stems of sentences in term_id order.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE sentence_posting AS
SELECT term_id, sentence_id
FROM sentence_posting
ORDER BY term_id, sentence_id
