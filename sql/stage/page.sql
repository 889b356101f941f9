-- name: stage.page
-- doc: The stage table page: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE page AS
/*<rows>*/ SELECT * FROM page /*</rows>*/
