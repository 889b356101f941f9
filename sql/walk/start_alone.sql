-- name: walk.start_alone
-- doc: The anchors where all start in state 0, the empty path is not accepted, and the first node may be of any kind; the
--   same rows as start there.
-- params: none
-- returns: question_id INTEGER, item_id INTEGER, state INTEGER, last_state INTEGER, accepts BOOLEAN
-- order: none
SELECT DISTINCT question_id, item_id, 0 AS state, CASE WHEN group_id IS NOT NULL THEN 2147483647 END AS last_state,
       false AS accepts
FROM seed
WHERE item_kind = 'node'
