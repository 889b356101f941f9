-- name: ingest.graph_relation
-- doc: Relations the corpus does not have yet.
-- params: first_id INTEGER
-- returns: none
-- order: none
INSERT INTO relation BY NAME
SELECT ($first_id::INTEGER + row_number() OVER (ORDER BY first_seen) - 1)::INTEGER AS relation_id, relation
FROM (
    SELECT e.relation, min(e.ordinal) AS first_seen
    FROM incoming_edge AS e
    WHERE e.relation NOT IN (SELECT relation FROM relation)
    GROUP BY e.relation
)
