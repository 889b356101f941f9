-- name: functions.bounded
-- doc: No row; an error where a number of `bound` (name, said, least, most) is not a whole one in its range.
-- params: none
-- returns: place INTEGER, type VARCHAR, said VARCHAR
-- order: none
SELECT 0 AS place, '' AS type, '' AS said
FROM bound
WHERE CASE WHEN regexp_full_match(said, '-?\d{1,18}') AND said::BIGINT BETWEEN least AND most THEN false
           ELSE error(name || ' is a whole number from ' || least || ' to ' || most || ', not '
                      || coalesce(left(said, 60), 'NULL')) END
