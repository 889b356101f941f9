-- name: link.catalogue
-- doc: Counts that decide which operator suits the corpus.
-- params: none
-- returns: chunk_count INTEGER, node_count INTEGER, edge_count INTEGER, rule_edge_count INTEGER,
--   graph_node_count INTEGER
-- order: none
SELECT (SELECT count(*) FROM chunk)::INTEGER AS chunk_count,
       (SELECT count(*) FROM node)::INTEGER AS node_count,
       (SELECT count(*) FROM edge)::INTEGER AS edge_count,
       (SELECT count(*)
        FROM edge AS e
        JOIN relation AS r ON r.relation_id = e.relation_id
        WHERE e.origin = 'text' AND r.relation = 'stated_with')::INTEGER AS rule_edge_count,
       (SELECT count(*) FROM node WHERE origin = 'graph')::INTEGER AS graph_node_count
