-- name: store.comment_on_macro
-- doc: Says in the catalogue what a table macro does. `macro` is written in as a name, `doc` as a literal.
-- params: macro VARCHAR, doc VARCHAR
-- returns: none
-- order: none
COMMENT ON MACRO TABLE $macro IS $doc
