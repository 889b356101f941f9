-- name: functions.read
-- doc: The steps of the pattern in `chain` (said), a row for each relation that a step may take: a relation that is NULL is
--   any, a direction that is NULL either. What cannot be read, and a relation or kind that is not there, is an error.
-- params: none
-- returns: place INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, is_last BOOLEAN
-- order: none
WITH cut AS (  -- at `/`, but for those in quotes
    SELECT said, regexp_extract_all('/' || said, '/(?:[^/''"]|''[^'']*''|"[^"]*")*') AS steps
    FROM (SELECT coalesce(said, '') AS said FROM chain)
), step AS (
    SELECT unnest(steps[:20]) AS said,
           generate_subscripts(steps[:20], 1)::INTEGER AS place,
           CASE WHEN length(array_to_string(steps, '')) <= length(said) THEN error('pattern: a quote is not closed')
                WHEN length(steps) > 20 THEN error('pattern: more than 20 steps')
                ELSE length(steps) END AS last_place
    FROM cut
), grouped AS (  -- (a | b)[kind], or one relation
    SELECT place, place = last_place AS is_last, trim(substr(said, 2)) AS said,
           regexp_extract(trim(substr(said, 2)), '^\((.*)\)\s*(\[.*\])?$', ['choice', 'kind']) AS inner_part
    FROM step
), choice AS (
    SELECT place, is_last, said AS step_said, inner_part.kind AS kind_of_all,
           unnest(regexp_extract_all('|' || coalesce(nullif(inner_part.choice, ''), said),
                                     '\|(?:[^|''"]|''[^'']*''|"[^"]*")*')) AS said
    FROM grouped
), part AS (
    SELECT place, is_last, step_said, kind_of_all,
           regexp_extract(
               trim(substr(said, 2)),
               '^([\^~]?)\s*([^\^~/|(){}\[\]?*+''",]+|''(?:[^'']|'''')*''|"(?:[^"]|"")*")\s*(\[.*\])?$',
               ['mark', 'relation', 'kind']
           ) AS r
    FROM choice
), plain AS (
    SELECT place, is_last, r.mark,
           CASE WHEN step_said = '' THEN error('pattern: step ' || place || ' is empty; a relation stands there, or any')
                WHEN trim(r.relation) = '' THEN error(
                    'pattern: step ' || place || ' `' || regexp_replace(step_said, '^(.{60}).+$', '\1…', 's')
                    || '` cannot be read; here it is a relation, `^` or `~` '
                    || 'before it, [kind] after it, or (a | b); `mosaic match` takes more, and its --sql prints what it runs'
                ) ELSE trim(r.relation) END AS relation,
           trim(regexp_extract(coalesce(nullif(r.kind, ''), kind_of_all), '^\[(.*)\]$', 1)) AS kind
    FROM part
), bare AS (  -- quotes off
    SELECT place, is_last, mark, relation = 'any' AS is_any,
           CASE left(relation, 1) WHEN '''' THEN replace(substr(relation, 2, length(relation) - 2), '''''', '''')
                WHEN '"' THEN replace(substr(relation, 2, length(relation) - 2), '""', '"') ELSE relation END AS relation,
           CASE left(kind, 1) WHEN '''' THEN replace(substr(kind, 2, length(kind) - 2), '''''', '''')
                WHEN '"' THEN replace(substr(kind, 2, length(kind) - 2), '""', '"') ELSE nullif(kind, '') END AS kind
    FROM plain
), there (kind) AS (
    SELECT source_kind FROM schema_path UNION SELECT target_kind FROM schema_path
)
SELECT b.place,
       CASE WHEN NOT b.is_any THEN coalesce(n.relation_id, error(
           'pattern: no relation `' || regexp_replace(b.relation, '^(.{60}).+$', '\1…', 's') || '`'
           || coalesce('; the nearest is `' || (
               SELECT arg_min(relation, (damerau_levenshtein(left(relation, 60), left(b.relation, 60)), relation)) FROM relation
           ) || '`', '')
       )::INTEGER) END AS relation_id,
       CASE b.mark WHEN '^' THEN false WHEN '' THEN true END AS forward,
       CASE WHEN b.kind IS NOT NULL THEN coalesce(t.kind, error(
           'pattern: no node kind `' || regexp_replace(b.kind, '^(.{60}).+$', '\1…', 's') || '`'
           || coalesce('; the nearest is `' || (
               SELECT arg_min(kind, (damerau_levenshtein(left(kind, 60), left(b.kind, 60)), kind)) FROM there WHERE kind <> ''
           ) || '`', '')
       )) END AS kind,
       b.is_last
FROM bare AS b
LEFT JOIN relation AS n ON n.relation = b.relation
LEFT JOIN there AS t ON t.kind = b.kind
