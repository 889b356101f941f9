-- name: ingest.delete_sentence_posting
-- doc: Stems of the sentences of some chunks go; run before the sentences do.
-- params: chunk_ids INTEGER[]
-- returns: none
-- order: none
DELETE FROM sentence_posting
WHERE sentence_id IN (
    SELECT sentence_id
    FROM sentence
    WHERE chunk_id IN (SELECT unnest($chunk_ids::INTEGER[]))
)
