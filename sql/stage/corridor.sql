-- name: stage.corridor
-- doc: The stage table corridor: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE corridor AS
/*<rows>*/ SELECT * FROM corridor /*</rows>*/
