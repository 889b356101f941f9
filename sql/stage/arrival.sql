-- name: stage.arrival
-- doc: The stage table arrival: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE arrival AS
/*<rows>*/ SELECT * FROM arrival /*</rows>*/
