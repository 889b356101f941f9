-- name: stage.topic
-- doc: Nodes whose name the question holds: what it is about, no bridge to something else.
-- params: none
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY VIEW topic AS
SELECT question_id, unnest(topics) AS node_id
FROM question
