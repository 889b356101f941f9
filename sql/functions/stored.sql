-- name: functions.stored
-- doc: The chunk that a person means by its id, for the row of `wanted` (place, type, said); an error where there is none.
-- params: none
-- returns: chunk_id INTEGER
-- order: none
SELECT coalesce(c.chunk_id, error(
    'no chunk has the id ' || coalesce(regexp_replace(w.said, '^(.{60}).+$', '\1…', 's'), 'NULL')
    || '; chunk_id of mosaic_bm25 and of the table chunk are those there are'
)::INTEGER) AS chunk_id
FROM wanted AS w
LEFT JOIN chunk AS c
  ON CASE WHEN regexp_full_match(w.said, '-?\d+(\.0*)?') THEN c.chunk_id = TRY_CAST(w.said AS INTEGER) END
