-- name: stage.seed
-- doc: The stage table seed: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE seed AS
/*<rows>*/ SELECT * FROM seed /*</rows>*/
