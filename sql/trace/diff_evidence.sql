-- name: trace.diff_evidence
-- doc: Units that one of two runs kept and the other did not, or at another place; why the other did not: the rule that
--   dropped it, or that nothing found it.
-- params: one VARCHAR, other VARCHAR
-- returns: change VARCHAR, unit_kind VARCHAR, unit_id INTEGER, title VARCHAR, one_rank INTEGER, other_rank INTEGER,
--   one_score DOUBLE, other_score DOUBLE, why VARCHAR
-- order: change, one_rank, other_rank, unit_kind, unit_id
WITH before AS (
    SELECT unit_kind, unit_id, chunk_id, rank, score, kept, pruned_by FROM trace.evidence WHERE run_id = $one::VARCHAR
), later AS (
    SELECT unit_kind, unit_id, chunk_id, rank, score, kept, pruned_by FROM trace.evidence WHERE run_id = $other::VARCHAR
), both_runs AS (
    SELECT coalesce(b.unit_kind, l.unit_kind) AS unit_kind,
           coalesce(b.unit_id, l.unit_id) AS unit_id,
           coalesce(b.chunk_id, l.chunk_id) AS chunk_id,
           b.rank AS one_rank, l.rank AS other_rank, b.score AS one_score, l.score AS other_score,
           coalesce(b.kept, false) AS one_kept, coalesce(l.kept, false) AS other_kept,
           b.pruned_by AS one_rule, l.pruned_by AS other_rule
    FROM before AS b
    FULL JOIN later AS l ON l.unit_kind = b.unit_kind AND l.unit_id = b.unit_id
)
SELECT CASE WHEN NOT m.one_kept THEN 'entered' WHEN NOT m.other_kept THEN 'left' ELSE 'moved' END AS change,
       m.unit_kind, m.unit_id,
       coalesce(x.name || ' -' || coalesce(nullif(e.label, ''), r.relation) || '-> ' || y.name,
                nullif(c.title, ''), d.source) AS title,
       m.one_rank, m.other_rank, m.one_score, m.other_score,
       CASE WHEN NOT m.one_kept THEN 'before: ' || coalesce('dropped by ' || m.one_rule, 'not found')
            WHEN NOT m.other_kept THEN 'now: ' || coalesce('dropped by ' || m.other_rule, 'not found')
            WHEN m.one_score IS DISTINCT FROM m.other_score THEN 'another score'
            ELSE 'others came or went' END AS why
FROM both_runs AS m
LEFT JOIN chunk AS c ON c.chunk_id = m.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
LEFT JOIN edge AS e ON m.unit_kind = 'edge' AND e.edge_id = m.unit_id
LEFT JOIN relation AS r ON r.relation_id = e.relation_id
LEFT JOIN node AS x ON x.node_id = e.source_id
LEFT JOIN node AS y ON y.node_id = e.target_id
WHERE (m.one_kept OR m.other_kept)
  AND (m.one_kept <> m.other_kept OR m.one_rank <> m.other_rank OR m.one_score IS DISTINCT FROM m.other_score)
ORDER BY change, one_rank, other_rank, unit_kind, unit_id
