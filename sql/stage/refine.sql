-- name: stage.refine
-- doc: The stage table refine: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE refine AS
/*<rows>*/ SELECT * FROM refine /*</rows>*/
