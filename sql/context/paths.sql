-- name: context.paths
-- doc: Facts of the kept paths, written out; paths that differ in their last node only share a line. An arrow
--   points as the edge does.
-- params: none
-- returns: question_id INTEGER, number INTEGER, text VARCHAR, score DOUBLE, edges INTEGER[]
-- order: question_id, number
WITH wanted AS (
    SELECT question_id, path_id, min(rank) AS rank
    FROM evidence
    WHERE kept AND unit_kind = 'edge' AND path_id IS NOT NULL
    GROUP BY question_id, path_id
    -- facts read from text speak through their passages
    HAVING bool_or(chunk_id IS NULL)
), hop AS (
    SELECT w.question_id, w.path_id, e.rank, w.nodes, w.score, w.tail_id, w.edges,
           unnest(w.edges) AS edge_id, generate_subscripts(w.edges, 1) AS place
    FROM wanted AS e
    JOIN walk AS w ON w.question_id = e.question_id AND w.path_id = e.path_id
), written AS (
    SELECT h.question_id, h.path_id, h.rank, h.score, h.tail_id, h.edges, h.place, h.place = len(h.edges) AS last,
           a.name AS name,
           coalesce(' (' || nullif(regexp_replace(e.properties::VARCHAR, '[{}"]', '', 'g'), '') || ')', '') AS detail,
           CASE WHEN e.source_id = h.nodes[h.place] AND (e.target_id = h.nodes[h.place + 1] OR e.source_id <> e.target_id)
                THEN ' -' || coalesce(nullif(e.label, ''), r.relation) || '-> '
                ELSE ' <-' || coalesce(nullif(e.label, ''), r.relation) || '- ' END AS arrow
    FROM hop AS h
    JOIN edge AS e ON e.edge_id = h.edge_id
    JOIN relation AS r ON r.relation_id = e.relation_id
    JOIN node AS a ON a.node_id = h.nodes[h.place]
), line AS (
    SELECT question_id, path_id, rank, score, tail_id,
           string_agg(name || arrow, '' ORDER BY place) AS head,
           max_by(detail, place) AS detail,
           any_value(edges) AS edges
    FROM written
    GROUP BY question_id, path_id, rank, score, tail_id
), grouped AS (
    SELECT l.question_id, l.head, min(l.rank) AS rank, max(l.score) AS score,
           string_agg(v.name || l.detail, '; ' ORDER BY l.rank) AS tails,
           min_by(l.edges, l.rank) AS edges
    FROM line AS l
    JOIN node AS v ON v.node_id = l.tail_id
    GROUP BY l.question_id, l.head
)
SELECT question_id,
       row_number() OVER (PARTITION BY question_id ORDER BY rank, head)::INTEGER AS number,
       head || tails AS text,
       score,
       edges
FROM grouped
ORDER BY question_id, number
