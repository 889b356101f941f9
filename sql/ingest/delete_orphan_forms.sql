-- name: ingest.delete_orphan_forms
-- doc: Word forms of stems that are gone go.
-- params: none
-- returns: none
-- order: none
DELETE FROM term_form
WHERE term_id NOT IN (SELECT term_id FROM term)
