-- name: ingest.graph_size
-- doc: Nodes, relations and edges of imported graphs.
-- params: none
-- returns: nodes INTEGER, relations INTEGER, edges INTEGER
-- order: none
SELECT (SELECT count(*) FROM node WHERE origin = 'graph')::INTEGER AS nodes,
       (SELECT count(*) FROM relation)::INTEGER AS relations,
       (SELECT count(*) FROM edge WHERE origin = 'graph')::INTEGER AS edges
