-- name: ingest.known_forms
-- doc: Every word form.
-- params: none
-- returns: form VARCHAR
-- order: form
SELECT form
FROM term_form
ORDER BY form
