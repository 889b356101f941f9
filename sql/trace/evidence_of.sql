-- name: trace.evidence_of
-- doc: The units of evidence of one run, dropped ones too: an edge by its ends, a chunk by its title; what is gone
--   since says so.
-- params: run_id VARCHAR
-- returns: rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, title VARCHAR, role VARCHAR, score DOUBLE, kept BOOLEAN,
--   pruned_by VARCHAR
-- order: rank
SELECT e.rank, e.unit_kind, e.unit_id,
       coalesce(CASE WHEN e.unit_kind = 'edge' AND g.edge_id IS NULL OR e.unit_kind = 'chunk' AND c.chunk_id IS NULL
                     THEN '(no longer in the corpus)' END,
                x.name || ' -' || coalesce(nullif(g.label, ''), r.relation) || '-> ' || y.name,
                nullif(c.title, ''), d.source) AS title,
       e.role, e.score, e.kept, e.pruned_by
FROM trace.evidence AS e
LEFT JOIN chunk AS c ON c.chunk_id = e.chunk_id
LEFT JOIN document AS d ON d.document_id = c.document_id
LEFT JOIN edge AS g ON e.unit_kind = 'edge' AND g.edge_id = e.unit_id
LEFT JOIN relation AS r ON r.relation_id = g.relation_id
LEFT JOIN node AS x ON x.node_id = g.source_id
LEFT JOIN node AS y ON y.node_id = g.target_id
WHERE e.run_id = $run_id::VARCHAR
ORDER BY e.rank
