-- name: functions.meant
-- doc: The nodes of functions.named, for a function that starts from them: what names none is an error with the nearest name,
--   60 characters of each compared, since the time that takes grows with both lengths.
-- params: none
-- slots: named
-- returns: place INTEGER, node_id INTEGER
-- order: none
WITH hit AS MATERIALIZED (
    /*<named>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</named>*/
), lost AS (
    SELECT w.place, w.type, coalesce(regexp_replace(w.said, '^(.{60}).+$', '\1…', 's'), 'NULL') AS said,
           (
               SELECT arg_min(n.name, (damerau_levenshtein(lower(left(n.name, 60)), lower(left(w.said, 60))), n.node_id))
               FROM node AS n
               WHERE abs(length(n.name) - length(w.said)) <= 3
                 AND 3 * damerau_levenshtein(lower(left(n.name, 60)), lower(left(w.said, 60))) <= length(w.said)
           ) AS nearest
    FROM wanted AS w
    WHERE w.place NOT IN (SELECT place FROM hit)
)
SELECT place, node_id FROM hit
UNION ALL
SELECT place, error(CASE
    WHEN type <> 'VARCHAR' THEN 'no node has the id ' || said || '; mosaic_nodes(name) tells the ids of a name'
    ELSE 'no node goes by the name `' || said || '`; ' || coalesce(
        'the nearest is `' || nearest || '`', 'a part finds names: SELECT name FROM node WHERE contains(lower(name), ''…'')'
    )
END)::INTEGER
FROM lost
