-- name: stage.attribute
-- doc: The stage table attribute: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE attribute AS
/*<rows>*/ SELECT * FROM attribute /*</rows>*/
