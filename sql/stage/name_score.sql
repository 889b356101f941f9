-- name: stage.name_score
-- doc: The stage table name_score: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE name_score AS
/*<rows>*/ SELECT * FROM name_score /*</rows>*/
