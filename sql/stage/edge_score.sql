-- name: stage.edge_score
-- doc: The stage table edge_score: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE edge_score AS
/*<rows>*/ SELECT * FROM edge_score /*</rows>*/
