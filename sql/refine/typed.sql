-- name: refine.typed
-- doc: Texts as what they are compared by: a number, or the first and the last day of a date that may be a year or a
--   month only (year * 10000 + month * 100 + day). What does not read as its type has neither.
-- params: none
-- slots: none
-- returns: question_id INTEGER, number INTEGER, node_id INTEGER, edge_id INTEGER, text VARCHAR, type VARCHAR, low DOUBLE,
--   high DOUBLE
-- order: none
WITH read AS (
    SELECT question_id, number, node_id, edge_id, text, type,
           try_cast(CASE WHEN regexp_matches(text, '^\s*[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?\s*$')
                         THEN replace(text, ',', '') ELSE text END
                    AS DOUBLE) AS amount,
           regexp_extract(
               coalesce(strftime(try_strptime(trim(text), ['%d %B %Y', '%B %d, %Y', '%d %b %Y', '%b %d, %Y', '%Y/%m/%d']),
                                 '%Y-%m-%d'),
                        strftime(try_strptime(trim(text), '%B %Y'), '%Y-%m'),
                        text),
               '^\s*([+-]?[0-9]{1,6})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?(?:$|[^0-9-])', ['year', 'month', 'day']
           ) AS part
    FROM told
), dated AS (  -- month and day 0 are unknown ones
    SELECT question_id, number, node_id, edge_id, text, type, amount,
           coalesce(try_cast(nullif(part.year, '') AS INTEGER),
                    try_cast(nullif(regexp_extract(text, '\b([12][0-9]{3})\b', 1), '') AS INTEGER)) AS year,
           nullif(try_cast(nullif(part.month, '') AS INTEGER), 0) AS month,
           nullif(try_cast(nullif(part.day, '') AS INTEGER), 0) AS day
    FROM read
)
SELECT question_id, number, node_id, edge_id,
       CASE WHEN type IN ('number', 'date') THEN regexp_replace(text, '^(-?[0-9]+)\.0+$', '\1') ELSE text END AS text,
       type,
       CASE type WHEN 'number' THEN CASE WHEN isfinite(amount) THEN amount END
                 WHEN 'date' THEN year * 10000 + coalesce(month * 100 + coalesce(day, 1), 101)
       END::DOUBLE AS low,
       CASE type WHEN 'number' THEN CASE WHEN isfinite(amount) THEN amount END
                 WHEN 'date' THEN year * 10000 + coalesce(month * 100 + coalesce(day, 31), 1231)
       END::DOUBLE AS high
FROM dated
