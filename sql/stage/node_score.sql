-- name: stage.node_score
-- doc: The stage table node_score: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE node_score AS
/*<rows>*/ SELECT * FROM node_score /*</rows>*/
