-- name: context.chunks
-- doc: Passages of kept units: each source chunk cut into windows, with the path of links that led to it. A limit
--   that is NULL holds nothing back; `label` is the title and heading that the chunk is embedded under.
-- params: units STRUCT(question_id INTEGER, rank INTEGER, role VARCHAR, score DOUBLE, chunk_id INTEGER, cosine DOUBLE,
--   nodes INTEGER[], chunks INTEGER[])[], window_chars INTEGER, window_stride INTEGER, passage_limit INTEGER,
--   context_chars INTEGER
-- returns: question_id INTEGER, number INTEGER, chunk_id INTEGER, source VARCHAR, title VARCHAR, text VARCHAR,
--   char_start INTEGER, char_end INTEGER, score DOUBLE, role VARCHAR, path VARCHAR, path_from INTEGER,
--   path_node INTEGER, cosine DOUBLE, label VARCHAR, whole BOOLEAN
-- order: question_id, number
WITH wanted AS (
    SELECT unnest($units::STRUCT(
        question_id INTEGER, rank INTEGER, role VARCHAR, score DOUBLE, chunk_id INTEGER, cosine DOUBLE,
        nodes INTEGER[], chunks INTEGER[]
    )[], recursive := true)
), hop AS (  -- the links of a chunk walk: chunk, name, next chunk
    SELECT question_id, chunk_id, chunks, unnest(nodes) AS node_id, generate_subscripts(nodes, 1) AS place
    FROM wanted
), link_path AS (
    SELECT h.question_id, h.chunk_id,
           string_agg(coalesce(nullif(p.title, ''), 'chunk ' || p.chunk_id) || ' -[' || v.name || ']-> ', '' ORDER BY h.place)
               AS path,
           max_by(p.chunk_id, h.place) AS path_from,
           max_by(h.node_id, h.place) AS path_node
    FROM hop AS h
    JOIN chunk AS p ON p.chunk_id = h.chunks[h.place]
    JOIN node AS v ON v.node_id = h.node_id
    GROUP BY h.question_id, h.chunk_id
), span AS (
    SELECT e.question_id, e.rank, e.role, e.score, e.cosine, c.chunk_id, c.document_id, c.title, c.heading, c.text, c.char_start,
           unnest(range(
               0,
               greatest(1, length(c.text) - ($window_chars::INTEGER - $window_stride::INTEGER)),
               $window_stride::INTEGER
           )) AS at
    FROM wanted AS e
    JOIN chunk AS c ON c.chunk_id = e.chunk_id
), numbered AS (
    SELECT s.*, substr(s.text, s.at + 1, $window_chars::INTEGER) AS window_text,
           length(s.text) <= $window_chars::INTEGER AS whole,
           concat_ws(' > ', nullif(s.title, ''), nullif(s.heading, '')) AS label,
           row_number() OVER (PARTITION BY s.question_id ORDER BY s.rank, s.at) AS number
    FROM span AS s
), fitted AS (
    SELECT n.*, sum(length(n.window_text)) OVER (PARTITION BY n.question_id ORDER BY n.number) AS chars
    FROM numbered AS n
)
SELECT f.question_id,
       f.number::INTEGER AS number,
       f.chunk_id,
       d.source,
       coalesce(nullif(f.label, ''), d.source) AS title,
       f.window_text AS text,
       (f.char_start + f.at)::INTEGER AS char_start,
       (f.char_start + f.at + length(f.window_text))::INTEGER AS char_end,
       f.score,
       f.role,
       coalesce(p.path || coalesce(nullif(f.title, ''), d.source), '') AS path,
       p.path_from,
       p.path_node,
       f.cosine,
       f.label,
       f.whole
FROM fitted AS f
JOIN document AS d ON d.document_id = f.document_id
LEFT JOIN link_path AS p ON p.question_id = f.question_id AND p.chunk_id = f.chunk_id
WHERE coalesce(f.number <= $passage_limit::INTEGER, true)
  AND (f.number = 1 OR coalesce(f.chars <= $context_chars::INTEGER, true))
ORDER BY f.question_id, f.number
