-- name: context.evidence_facts
-- doc: The evidence stage as context.evidence, the edges among it written out as facts.
-- params: none
-- returns: question_id INTEGER, rank INTEGER, unit_kind VARCHAR, unit_id INTEGER, chunk_id INTEGER, source VARCHAR,
--   path_id BIGINT, role VARCHAR, score DOUBLE, cosine DOUBLE, fact VARCHAR, kept BOOLEAN, pruned_by VARCHAR
-- order: question_id, rank
SELECT e.question_id, e.rank, e.unit_kind, e.unit_id, e.chunk_id, e.source, e.path_id, e.role, e.score, e.cosine,
       s.name || ' -' || coalesce(nullif(f.label, ''), r.relation) || '-> ' || t.name AS fact, e.kept, e.pruned_by
FROM evidence AS e
LEFT JOIN edge AS f ON e.unit_kind = 'edge' AND f.edge_id = e.unit_id
LEFT JOIN relation AS r ON r.relation_id = f.relation_id
LEFT JOIN node AS s ON s.node_id = f.source_id
LEFT JOIN node AS t ON t.node_id = f.target_id
ORDER BY e.question_id, e.rank
