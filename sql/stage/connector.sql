-- name: stage.connector
-- doc: The stage table connector: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE connector AS
/*<rows>*/ SELECT * FROM connector /*</rows>*/
