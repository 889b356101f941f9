-- name: stage.relation_score
-- doc: The stage table relation_score: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE relation_score AS
/*<rows>*/ SELECT * FROM relation_score /*</rows>*/
