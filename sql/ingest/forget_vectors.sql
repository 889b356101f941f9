-- name: ingest.forget_vectors
-- doc: Names that are no title and stand in one chunk only have no vector; this is the reverse of nodes_to_embed.
-- params: none
-- slots: none
-- returns: none
-- order: none
UPDATE node
SET embedding = NULL
WHERE embedding IS NOT NULL
  AND origin = 'text'
  AND chunk_count < 2
  AND node_id NOT IN (SELECT node_id FROM title_page)
