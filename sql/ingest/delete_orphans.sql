-- name: ingest.delete_orphans
-- doc: Nodes of the text that nothing names any more go.
-- params: none
-- returns: none
-- order: none
DELETE FROM node
WHERE origin = 'text'
  AND node_id NOT IN (SELECT node_id FROM mention)
  AND node_id NOT IN (SELECT node_id FROM title_page)
  AND node_id NOT IN (SELECT source_id FROM edge WHERE origin = 'text')
  AND node_id NOT IN (SELECT target_id FROM edge WHERE origin = 'text')
