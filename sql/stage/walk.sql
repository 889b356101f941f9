-- name: stage.walk
-- doc: The stage table walk: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE walk AS
/*<rows>*/ SELECT * FROM walk /*</rows>*/
