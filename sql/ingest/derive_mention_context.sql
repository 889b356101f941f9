-- name: ingest.derive_mention_context
-- doc: Stems near mentions in term_id order.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TABLE mention_context AS
SELECT DISTINCT term_id, chunk_id, node_id, sentence_id, side
FROM mention_context
ORDER BY term_id, chunk_id, node_id, sentence_id, side
