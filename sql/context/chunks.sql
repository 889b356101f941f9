-- name: context.chunks
-- doc: Passages of the kept evidence: each source chunk once, at its best rank, cut into windows; with the path
--   of links that led to it and the sentence that names the last link.
-- params: window_chars INTEGER, window_stride INTEGER, passage_limit INTEGER, context_chars INTEGER
-- returns: question_id INTEGER, number INTEGER, chunk_id INTEGER, source VARCHAR, title VARCHAR, text VARCHAR,
--   char_start INTEGER, char_end INTEGER, score DOUBLE, role VARCHAR, path VARCHAR, path_from INTEGER, link_sentence VARCHAR,
--   cosine DOUBLE
-- order: question_id, number
WITH wanted AS (
    SELECT question_id, chunk_id, min(rank) AS rank, arg_min(role, rank) AS role, arg_min(score, rank) AS score,
           arg_min(path_id, rank) AS path_id
    FROM evidence
    WHERE kept AND chunk_id IS NOT NULL
    GROUP BY question_id, chunk_id
), hop AS (  -- the links of a chunk walk: chunk, name, next chunk
    SELECT w.question_id, w.path_id, unnest(w.nodes) AS node_id, generate_subscripts(w.nodes, 1) AS place, w.chunks
    FROM walk AS w
    JOIN wanted AS e ON e.question_id = w.question_id AND e.path_id = w.path_id
    WHERE w.tail_kind = 'chunk' AND w.depth > 0
), said AS (  -- the first sentence of the chunk before that names the link
    SELECT h.question_id, h.path_id, h.place, p.chunk_id, p.title, v.name,
           min_by(substr(p.text, s.char_start + 1, s.char_end - s.char_start), s.sentence_id) AS sentence
    FROM hop AS h
    JOIN chunk AS p ON p.chunk_id = h.chunks[h.place]
    JOIN node AS v ON v.node_id = h.node_id
    LEFT JOIN mention AS m ON m.chunk_id = p.chunk_id AND m.node_id = h.node_id
    LEFT JOIN sentence AS s ON s.sentence_id = m.sentence_id
    GROUP BY h.question_id, h.path_id, h.place, p.chunk_id, p.title, v.name
), link_path AS (
    SELECT question_id, path_id,
           string_agg(title || ' -[' || name || ']-> ', '' ORDER BY place) AS path,
           max_by(sentence, place) AS sentence,
           max_by(chunk_id, place) AS path_from
    FROM said
    GROUP BY question_id, path_id
), span AS (
    SELECT e.question_id, e.rank, e.role, e.score, e.path_id, c.chunk_id, c.document_id, c.title, c.heading, c.text, c.char_start,
           unnest(range(
               0,
               greatest(1, length(c.text) - ($window_chars::INTEGER - $window_stride::INTEGER)),
               $window_stride::INTEGER
           )) AS at
    FROM wanted AS e
    JOIN chunk AS c ON c.chunk_id = e.chunk_id
), numbered AS (
    SELECT s.*, substr(s.text, s.at + 1, $window_chars::INTEGER) AS window_text,
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
       coalesce(nullif(concat_ws(' > ', nullif(f.title, ''), nullif(f.heading, '')), ''), d.source) AS title,
       f.window_text AS text,
       (f.char_start + f.at)::INTEGER AS char_start,
       (f.char_start + f.at + length(f.window_text))::INTEGER AS char_end,
       f.score,
       f.role,
       coalesce(p.path || coalesce(nullif(f.title, ''), d.source), '') AS path,
       p.path_from,
       coalesce(p.sentence, '') AS link_sentence,
       b.cosine
FROM fitted AS f
JOIN document AS d ON d.document_id = f.document_id
LEFT JOIN link_path AS p ON p.question_id = f.question_id AND p.path_id = f.path_id
LEFT JOIN base AS b ON b.question_id = f.question_id AND b.chunk_id = f.chunk_id
WHERE f.number <= $passage_limit::INTEGER AND (f.number = 1 OR f.chars <= $context_chars::INTEGER)
ORDER BY f.question_id, f.number
