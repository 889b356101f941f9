-- name: walk.relation_scan
-- doc: The nodes at the end of any edge that a one-step pattern accepts, whatever node it starts from, those with most
--   such edges first; `score` counts them. The mask `*p*`, an aggregate over a relation, at most `row_budget` nodes.
-- params: row_budget INTEGER
-- returns: question_id INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, tail_kind VARCHAR, tail_id
--   INTEGER, nodes INTEGER[], edges INTEGER[], chunks INTEGER[], score DOUBLE, terms STRUCT(relation_similarity
--   DOUBLE, target_relevance DOUBLE, specificity DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE,
--   coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau
--   DOUBLE, cue DOUBLE, residual DOUBLE), view VARCHAR, rank INTEGER, kept BOOLEAN, pruned_by VARCHAR, gain
--   DOUBLE, completeness DOUBLE, stopped VARCHAR
-- order: question_id, depth, path_id
WITH node_kind AS (
    SELECT v.node_id, v.kind
    FROM (SELECT node_id, unnest(kinds) AS kind FROM node) AS v
    SEMI JOIN transition AS t ON t.kind = v.kind
), arrived AS (  -- an edge that a pattern takes both ways counts at either end
    SELECT t.question_id, w.forward, e.edge_id, t.kind,
           CASE WHEN w.forward THEN e.source_id ELSE e.target_id END AS start_id,
           CASE WHEN w.forward THEN e.target_id ELSE e.source_id END AS node_id
    FROM transition AS t
    CROSS JOIN (VALUES (true), (false)) AS w (forward)
    JOIN edge AS e ON t.relation_id IS NULL OR e.relation_id = t.relation_id
    WHERE t.state = 0 AND t.accepts AND (t.forward IS NULL OR t.forward = w.forward)
), counted AS (  -- the edge of the lowest id is the witness
    SELECT a.question_id,
           a.node_id,
           count(DISTINCT a.edge_id) AS edge_count,
           min(a.edge_id) AS edge_id,
           arg_min(a.start_id, a.edge_id * 2::BIGINT + a.forward::BIGINT) AS start_id
    FROM arrived AS a
    LEFT JOIN node_kind AS k ON k.node_id = a.node_id AND k.kind = a.kind
    WHERE a.kind IS NULL OR k.kind IS NOT NULL
    GROUP BY a.question_id, a.node_id
), ranked AS (
    SELECT *,
           row_number() OVER (PARTITION BY question_id ORDER BY edge_count DESC, node_id) AS place,
           count(*) OVER (PARTITION BY question_id) AS found
    FROM counted
)
SELECT question_id,
       1 AS depth,
       node_id::BIGINT AS path_id,
       NULL::BIGINT AS parent_id,
       'node' AS tail_kind,
       node_id AS tail_id,
       [start_id, node_id] AS nodes,
       [edge_id] AS edges,
       []::INTEGER[] AS chunks,
       edge_count::DOUBLE AS score,
       {'relation_similarity': NULL::DOUBLE, 'target_relevance': NULL::DOUBLE, 'specificity': NULL::DOUBLE,
        'anchor_consistency': NULL::DOUBLE, 'transition_alignment': NULL::DOUBLE, 'coherence': NULL::DOUBLE,
        'hub_exposure': NULL::DOUBLE, 'repetition': NULL::DOUBLE, 'question_like': NULL::DOUBLE,
        'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE, 'residual': NULL::DOUBLE} AS terms,
       'answer' AS view,
       place::INTEGER AS rank,
       true AS kept,
       NULL::VARCHAR AS pruned_by,
       NULL::DOUBLE AS gain,
       NULL::DOUBLE AS completeness,
       CASE WHEN found > $row_budget::INTEGER THEN 'row_budget' END AS stopped
FROM ranked
WHERE place <= $row_budget::INTEGER
ORDER BY question_id, depth, path_id
