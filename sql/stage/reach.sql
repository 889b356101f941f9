-- name: stage.reach
-- doc: The stage table reach: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE reach AS
/*<rows>*/ SELECT * FROM reach /*</rows>*/
