-- name: ingest.forget_vectors
-- doc: Names that are no title, stand in one chunk only and end no edge that a model read have no vector; this is the
--   reverse of nodes_to_embed.
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
  AND node_id NOT IN (
      SELECT unnest([e.source_id, e.target_id])
      FROM edge AS e
      JOIN relation AS r ON r.relation_id = e.relation_id
      WHERE e.origin = 'text' AND r.relation <> 'stated_with'
  )
