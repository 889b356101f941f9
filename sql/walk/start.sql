-- name: walk.start
-- doc: The anchors in the states that they start from. State -1 is the entry: it says whether the empty path is accepted,
--   and the first node's kind. An anchor bars its node to paths in the states up to `last_state`; NULL: it bars none.
-- params: none
-- returns: question_id INTEGER, item_id INTEGER, state INTEGER, last_state INTEGER, accepts BOOLEAN
-- order: none
SELECT s.question_id, s.item_id, s.state, s.last_state, coalesce(t.accepts, false) AS accepts
FROM (  -- an anchor with states of its own starts in the first of them
    SELECT DISTINCT s.question_id, s.item_id, coalesce(m.state, 0) AS state,
           CASE WHEN s.group_id IS NOT NULL THEN coalesce(m.last_state, 2147483647) END AS last_state
    FROM seed AS s
    LEFT JOIN arm AS m
      ON m.question_id = s.question_id AND m.group_id = s.group_id AND (m.node_id IS NULL OR m.node_id = s.item_id)
    WHERE s.item_kind = 'node'
) AS s
JOIN node AS v ON v.node_id = s.item_id
LEFT JOIN transition AS t ON t.question_id = s.question_id AND t.state = -1 AND t.next_state = s.state
WHERE t.kind IS NULL OR list_contains(v.kinds, t.kind)
