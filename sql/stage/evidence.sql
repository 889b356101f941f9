-- name: stage.evidence
-- doc: The stage table evidence: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE evidence AS
/*<rows>*/ SELECT * FROM evidence /*</rows>*/
