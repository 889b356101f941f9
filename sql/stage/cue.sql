-- name: stage.cue
-- doc: The stage table cue: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE cue AS
/*<rows>*/ SELECT * FROM cue /*</rows>*/
