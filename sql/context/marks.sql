-- name: context.marks
-- doc: Of the walk stage what tells where it stopped, what it left out and how much it found.
-- params: none
-- returns: depth INTEGER, tail_id INTEGER, view VARCHAR, stopped VARCHAR
-- order: as filled
SELECT depth, tail_id, view, stopped
FROM walk
