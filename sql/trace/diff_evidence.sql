-- name: trace.diff_evidence
-- doc: Passages (edges, where an edge has none) that one of two runs kept and the other did not, or otherwise; why the other
--   did not, as mosaic_why tells it: the rule of evidence or walk that dropped it, that it was no evidence, or not found.
-- params: one VARCHAR, other VARCHAR
-- returns: change VARCHAR, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, title VARCHAR, one_rank INTEGER,
--   other_rank INTEGER, one_score DOUBLE, other_score DOUBLE, why VARCHAR
-- order: change, one_rank, other_rank, unit_kind, unit_id
WITH unit AS (  -- `edge_id` where there is no passage
    SELECT run_id = $one::VARCHAR AS is_one, run_id = $other::VARCHAR AS is_other, chunk_id,
           CASE WHEN chunk_id IS NULL THEN unit_id END AS edge_id, unit_kind, unit_id, rank, score, kept, pruned_by
    FROM trace.evidence
    WHERE run_id IN ($one::VARCHAR, $other::VARCHAR)
), passage AS (  -- a passage may be several units, and stands at the place of its first
    SELECT is_one, is_other, chunk_id, edge_id, bool_or(kept) AS kept,
           arg_min({'kind': unit_kind, 'id': unit_id}, (NOT kept, rank)) AS unit,
           arg_min(rank, (NOT kept, rank)) AS rank, arg_min(score, (NOT kept, rank)) AS score,
           list((unit_kind, unit_id) ORDER BY unit_kind, unit_id) FILTER (kept) AS units,
           'dropped by ' || arg_min(pruned_by, rank) AS reason
    FROM unit
    GROUP BY is_one, is_other, chunk_id, edge_id
), walked AS (  -- where the evidence says nothing
    SELECT run_id = $one::VARCHAR AS is_one, run_id = $other::VARCHAR AS is_other,
           CASE WHEN tail_kind = 'chunk' THEN tail_id END AS chunk_id,
           CASE WHEN tail_kind = 'node' THEN edges[array_length(edges)] END AS edge_id,
           CASE WHEN bool_or(kept) THEN 'walked, but no evidence'
                ELSE 'dropped by ' || arg_min(pruned_by, (-coalesce(score, 0.0::DOUBLE), path_id)) END AS reason
    FROM trace.walk
    WHERE run_id IN ($one::VARCHAR, $other::VARCHAR) AND depth > 0
    GROUP BY ALL
), both_runs AS (
    SELECT coalesce(b.chunk_id, l.chunk_id) AS chunk_id, coalesce(b.edge_id, l.edge_id) AS edge_id,
           coalesce(b.unit, l.unit) AS unit,
           b.rank AS one_rank, l.rank AS other_rank, b.score AS one_score, l.score AS other_score,
           coalesce(b.kept, false) AS one_kept, coalesce(l.kept, false) AS other_kept,
           b.units AS one_units, l.units AS other_units, b.reason AS one_reason, l.reason AS other_reason
    FROM (SELECT chunk_id, edge_id, unit, rank, score, kept, units, reason FROM passage WHERE is_one) AS b
    FULL JOIN (SELECT chunk_id, edge_id, unit, rank, score, kept, units, reason FROM passage WHERE is_other) AS l
      ON l.chunk_id IS NOT DISTINCT FROM b.chunk_id AND l.edge_id IS NOT DISTINCT FROM b.edge_id
)
SELECT CASE WHEN NOT m.one_kept THEN 'entered' WHEN NOT m.other_kept THEN 'left' ELSE 'moved' END AS change,
       m.unit.kind AS unit_kind, m.unit.id AS unit_id, m.chunk_id,
       coalesce(CASE WHEN m.unit.kind = 'edge' AND e.edge_id IS NULL OR m.unit.kind = 'chunk' AND c.chunk_id IS NULL
                     THEN '(no longer in the corpus)' END,
                x.name || ' -' || coalesce(nullif(e.label, ''), r.relation) || '-> ' || y.name,
                nullif(c.title, ''), d.source) AS title,
       m.one_rank, m.other_rank, m.one_score, m.other_score,
       CASE WHEN NOT m.one_kept THEN 'before: ' || coalesce(m.one_reason, v.reason, 'not found')
            WHEN NOT m.other_kept THEN 'now: ' || coalesce(m.other_reason, w.reason, 'not found')
            WHEN m.one_units <> m.other_units THEN 'other units of the passage'
            WHEN m.one_score IS DISTINCT FROM m.other_score THEN 'another score'
            ELSE 'others came or went' END AS why
FROM both_runs AS m
LEFT JOIN walked AS v ON v.is_one AND (v.chunk_id = m.chunk_id OR v.edge_id = m.edge_id)
LEFT JOIN walked AS w ON w.is_other AND (w.chunk_id = m.chunk_id OR w.edge_id = m.edge_id)
LEFT JOIN chunk AS c ON c.chunk_id = m.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
LEFT JOIN edge AS e ON m.unit.kind = 'edge' AND e.edge_id = m.unit.id
LEFT JOIN relation AS r ON r.relation_id = e.relation_id
LEFT JOIN node AS x ON x.node_id = e.source_id
LEFT JOIN node AS y ON y.node_id = e.target_id
WHERE (m.one_kept OR m.other_kept)
  AND (m.one_kept <> m.other_kept OR m.one_rank <> m.other_rank OR m.one_score IS DISTINCT FROM m.other_score
       OR m.one_units <> m.other_units)
ORDER BY change, one_rank, other_rank, unit_kind, unit_id
