-- name: ingest.delete_unused_forms
-- doc: Word forms that no text and no name has any more, though another form of their stem is left, go. Only Latin
--   forms share a stem; stop words count in names only.
-- params: stop_words VARCHAR[]
-- slots: none
-- returns: none
-- order: none
DELETE FROM term_form
WHERE regexp_full_match(form, '[a-z0-9]+')
  AND term_id IN (SELECT term_id FROM term_form GROUP BY term_id HAVING count(*) > 1)
  AND form NOT IN (
      SELECT form
      FROM (
          SELECT unnest(regexp_extract_all(lower(strip_accents(concat_ws(' ', title, heading, text))), '[a-z0-9]+')) AS form
          FROM chunk
      )
      WHERE NOT list_contains($stop_words::VARCHAR[], form)
      UNION ALL
      SELECT unnest(regexp_extract_all(lower(strip_accents(alias)), '[a-z0-9]+'))
      FROM alias
  )
