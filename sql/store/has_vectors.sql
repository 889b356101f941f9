-- name: store.has_vectors
-- doc: Whether anything of the corpus is embedded.
-- params: none
-- returns: has_vectors BOOLEAN
-- order: none
SELECT EXISTS (SELECT 1 FROM chunk WHERE embedding IS NOT NULL)
    OR EXISTS (SELECT 1 FROM relation WHERE embedding IS NOT NULL)
    OR EXISTS (SELECT 1 FROM node WHERE embedding IS NOT NULL)
    OR EXISTS (SELECT 1 FROM edge WHERE embedding IS NOT NULL) AS has_vectors
