-- name: stage.target
-- doc: The stage table target: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE target AS
/*<rows>*/ SELECT * FROM target /*</rows>*/
