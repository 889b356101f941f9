-- name: stage.question_term
-- doc: The stage table question_term: filled by the file in its slot, then open to any SELECT.
-- params: none
-- slots: rows
-- returns: none
-- order: none
CREATE OR REPLACE TEMPORARY TABLE question_term AS
/*<rows>*/ SELECT * FROM question_term /*</rows>*/
