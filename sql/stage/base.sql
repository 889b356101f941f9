-- name: stage.base
-- doc: The stage table base: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE base AS
/*<rows>*/ SELECT * FROM base /*</rows>*/
