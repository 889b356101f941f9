-- name: trace.first_difference
-- doc: The first row, in the order of the stages, that two runs do not share: seeds, then paths, then evidence.
-- params: one VARCHAR, other VARCHAR
-- returns: stage VARCHAR, item VARCHAR, one VARCHAR, other VARCHAR
-- order: stage_no, item
WITH seed_row AS (
    SELECT run_id, 1 AS stage_no, 'seed' AS stage, item_kind || ' ' || item_id AS item, score::VARCHAR || ', ' || why AS told
    FROM trace.seed
), walk_row AS (  -- only paths that were kept: a kept run may have left the others out
    SELECT run_id, 2 AS stage_no, 'walk' AS stage, 'depth ' || depth || ', path ' || path_id AS item,
           tail_kind || ' ' || tail_id || ', ' || coalesce(score::VARCHAR, '') AS told
    FROM trace.walk
    WHERE kept
), evidence_row AS (
    SELECT run_id, 3 AS stage_no, 'evidence' AS stage, 'place ' || lpad(rank::VARCHAR, 6, ' ') AS item,
           unit_kind || ' ' || unit_id || ', ' || score::VARCHAR || CASE WHEN kept THEN ', kept' ELSE ', dropped' END AS told
    FROM trace.evidence
), told_row AS (
    SELECT run_id, stage_no, stage, item, told FROM seed_row
    UNION ALL
    SELECT run_id, stage_no, stage, item, told FROM walk_row
    UNION ALL
    SELECT run_id, stage_no, stage, item, told FROM evidence_row
), before AS (
    SELECT stage_no, stage, item, told FROM told_row WHERE run_id = $one::VARCHAR
), later AS (
    SELECT stage_no, stage, item, told FROM told_row WHERE run_id = $other::VARCHAR
)
SELECT coalesce(b.stage, l.stage) AS stage, coalesce(b.item, l.item) AS item, b.told AS one, l.told AS other
FROM before AS b
FULL JOIN later AS l ON l.stage_no = b.stage_no AND l.item = b.item
WHERE b.told IS DISTINCT FROM l.told
ORDER BY coalesce(b.stage_no, l.stage_no), item
LIMIT 1
