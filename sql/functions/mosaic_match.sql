-- name: functions.mosaic_match
-- doc: Nodes that a chain of relations reaches from a node, by name or id: `discovered_by / received`; `^r` against its
--   direction, `~r` either way, `any`, `(a | b)`, and the kind of the node reached in brackets: `^author [paper]`.
--   Repetitions are left to `mosaic match`, which prints its SQL with --sql. A relation that is not there is an error
--   with the nearest one.
-- params: none
-- slots: named, walk, arrived
-- returns: none
-- order: distance, node_id
-- example: SELECT name, way FROM mosaic_match('Argon', 'discovered_by / received')
CREATE OR REPLACE MACRO mosaic_match(item, pattern, top := 1000) AS TABLE
WITH wanted AS (
    SELECT 1 AS place, typeof(item) AS type, item::VARCHAR AS said
), found AS (
    /*<named>*/ SELECT 1 AS place, node_id FROM node WHERE false /*</named>*/
), seed AS (
    SELECT 0 AS question_id, 'node' AS item_kind, node_id AS item_id, 0 AS group_id FROM found
), step AS (
    SELECT unnest(string_split(pattern::VARCHAR, '/')) AS said,
           generate_subscripts(string_split(pattern::VARCHAR, '/'), 1) AS place
), arm AS (  -- each node of the name in states of its own
    SELECT 0 AS question_id, 0 AS group_id, node_id, (begin * length)::INTEGER AS state,
           ((begin + 1) * length - 1)::INTEGER AS last_state
    FROM (SELECT node_id, row_number() OVER (ORDER BY node_id) - 1 AS begin FROM (SELECT DISTINCT node_id FROM found))
    CROSS JOIN (SELECT count(*) + 1 AS length FROM step)
), choice AS (
    SELECT place, trim(unnest(string_split(regexp_replace(trim(said), '^\((.*)\)$', '\1'), '|'))) AS said
    FROM step
), read AS (  -- mark, relation, kind
    SELECT place,
           regexp_extract(
               said, '^([\^~]?)\s*[''"]?(.*?)[''"]?\s*(?:\[\s*(.*?)\s*\])?$', ['mark', 'relation', 'kind']
           ) AS part
    FROM choice
), nearest AS (
    SELECT r.part.relation AS said,
           arg_min(n.relation, (damerau_levenshtein(n.relation, r.part.relation), n.relation)) AS relation
    FROM read AS r
    JOIN relation AS n ON true
    GROUP BY r.part.relation
), rule AS (
    SELECT 0 AS question_id, -1 AS state, NULL::INTEGER AS relation_id, NULL::BOOLEAN AS forward, NULL::VARCHAR AS kind,
           0 AS next_state, false AS accepts
    UNION ALL
    SELECT 0, (r.place - 1)::INTEGER,
           CASE WHEN r.part.relation <> 'any' THEN coalesce(n.relation_id, error(
               'pattern: no relation `' || r.part.relation || '`; the nearest is `' || k.relation || '`'
           )) END,
           CASE r.part.mark WHEN '^' THEN false WHEN '' THEN true END,
           nullif(r.part.kind, ''),
           r.place::INTEGER,
           r.place = max(r.place) OVER ()
    FROM read AS r
    LEFT JOIN relation AS n ON n.relation = r.part.relation
    LEFT JOIN nearest AS k ON k.said = r.part.relation
), transition AS (
    SELECT r.question_id, CASE WHEN r.state < 0 THEN -1 ELSE r.state + m.state END AS state, r.relation_id, r.forward, r.kind,
           r.next_state + m.state AS next_state, r.accepts
    FROM rule AS r
    CROSS JOIN arm AS m
), walked AS (
    /*<walk>*/ SELECT depth, tail_id, nodes, edges, score, view FROM walk /*</walk>*/
), reached AS (
    SELECT depth, tail_id, nodes, edges, score
    FROM walked
    WHERE view = 'answer'
)
SELECT distance, name, kinds, way, node_id, edges
FROM (
    /*<arrived>*/ SELECT 0 AS distance, '' AS name, [] AS kinds, '' AS way, 0 AS node_id, [] AS edges /*</arrived>*/
)
ORDER BY distance, node_id
LIMIT top
