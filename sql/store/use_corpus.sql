-- name: store.use_corpus
-- doc: Unqualified names mean the corpus; every cursor repeats it.
-- params: none
-- slots: none
-- returns: none
-- order: none
USE corpus
