-- name: store.attach_kept_as_trace
-- doc: The file of kept runs beside the corpus in place of those in memory, as a person's SQL and the functions name it.
-- params: path VARCHAR
-- returns: none
-- order: none
ATTACH $path AS trace (READ_ONLY)
