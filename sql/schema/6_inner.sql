-- Empty tables in place of what a statement has inside: what the files in its slots read, so that each of them can be
-- described and run as it stands.

CREATE OR REPLACE TEMPORARY TABLE near_link (  -- inside walk.chunk_hop
    question_id INTEGER, chunk_id INTEGER, node_id INTEGER, next_chunk_id INTEGER, is_title BOOLEAN, specificity DOUBLE,
    tau DOUBLE, cue DOUBLE, prior DOUBLE, covered BIGINT, idf BIGINT[], idf_total BIGINT
);

CREATE OR REPLACE TEMPORARY TABLE aim (question_id INTEGER, groups BIGINT, facets BIGINT);

CREATE OR REPLACE TEMPORARY TABLE summed (  -- inside walk.beam and walk.connector
    question_id INTEGER,
    depth       INTEGER,
    parent_id   BIGINT,
    tail_id     INTEGER,
    side        INTEGER,
    state       INTEGER,
    seed_group  INTEGER,
    nodes       INTEGER[],
    edges       INTEGER[],
    relations   INTEGER[],
    view        VARCHAR,
    targets     BIGINT,
    facets      BIGINT,
    sums        STRUCT(
        relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
        first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
    )
);

CREATE OR REPLACE TEMPORARY TABLE met (question_id INTEGER, node_id INTEGER);

CREATE OR REPLACE TEMPORARY TABLE frontier (
    question_id INTEGER,
    depth       INTEGER,
    path_id     BIGINT,
    parent_id   BIGINT,
    tail_id     INTEGER,
    side        INTEGER,
    state       INTEGER,
    seed_group  INTEGER,
    nodes       INTEGER[],
    edges       INTEGER[],
    relations   INTEGER[],
    accepted    BOOLEAN,
    cut         BOOLEAN,
    facets      BIGINT,
    sums        STRUCT(
        relation DOUBLE, aim DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE,
        first DOUBLE, last DOUBLE, repeated DOUBLE, question_like DOUBLE
    )
);

-- The stages between the seeds and the walk of a path search.
CREATE OR REPLACE TEMPORARY TABLE reach (
    question_id INTEGER,
    side        INTEGER,  -- 1: searched from the first end, 2: from the second
    node_id     INTEGER,
    state       INTEGER,  -- of the pattern's automaton
    depth       INTEGER,  -- hops from the end
    hops        INTEGER,  -- the longest path allowed
    expanded    BOOLEAN,  -- a path may take its steps
    cut         BOOLEAN   -- its level held more nodes than row_budget
);

CREATE OR REPLACE TEMPORARY TABLE corridor (
    question_id  INTEGER,
    node_id      INTEGER,
    state        INTEGER,
    depth        INTEGER,
    edge_id      INTEGER,  -- NULL: only the first fan_out steps of the node were looked at
    neighbour_id INTEGER,
    next_state   INTEGER,
    remaining    INTEGER,  -- least hops from the neighbour to the second end
    turned       INTEGER   -- 1 where the step goes against the edge
);

CREATE OR REPLACE TEMPORARY TABLE node_kind (node_id INTEGER, kind VARCHAR);  -- inside the typed walks

CREATE OR REPLACE TEMPORARY TABLE rule (
    question_id INTEGER, side INTEGER, state INTEGER, relation_id INTEGER, forward BOOLEAN, kind VARCHAR, next_state INTEGER,
    accepts BOOLEAN
);

CREATE OR REPLACE TEMPORARY TABLE moved (
    question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, test_id INTEGER, kind VARCHAR, edge_id INTEGER,
    next_state INTEGER, accepts BOOLEAN, forward BOOLEAN
);

CREATE OR REPLACE TEMPORARY TABLE start (
    question_id INTEGER, item_id INTEGER, state INTEGER, last_state INTEGER, accepts BOOLEAN
);

CREATE OR REPLACE TEMPORARY TABLE seen (question_id INTEGER, tail_id INTEGER, state INTEGER);

CREATE OR REPLACE TEMPORARY TABLE walked (
    question_id INTEGER, tail_id INTEGER, state INTEGER, depth INTEGER, path_id BIGINT, parent_id BIGINT, nodes INTEGER[],
    edges INTEGER[], accepted BOOLEAN, cut BOOLEAN, capped BOOLEAN
);

CREATE OR REPLACE TEMPORARY TABLE expansion (
    question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN
);

CREATE OR REPLACE TEMPORARY TABLE chosen (  -- hops that a path may grow by
    question_id INTEGER, path_id BIGINT, neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, relation DOUBLE,
    aligned DOUBLE, anchored INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE, hub_exposure DOUBLE,
    question_like DOUBLE, targets BIGINT, facets BIGINT
);

-- Inside evidence.beam: the paths, what each of them holds, and the units by score.
CREATE OR REPLACE TEMPORARY TABLE path (
    question_id INTEGER, path_id BIGINT, nodes INTEGER[], edges INTEGER[], view VARCHAR, score DOUBLE, place BIGINT
);
CREATE OR REPLACE TEMPORARY TABLE stated (
    question_id INTEGER, path_id BIGINT, place BIGINT, hop BIGINT, edge_id INTEGER, chunk_id INTEGER, strength DOUBLE
);
CREATE OR REPLACE TEMPORARY TABLE placed (
    question_id INTEGER, chunk_id INTEGER, bare_edge_id INTEGER, path_id BIGINT, eligible BOOLEAN, place BIGINT, turn BIGINT
);

-- Inside the table macros.
CREATE OR REPLACE TEMPORARY TABLE wanted (place INTEGER, type VARCHAR, said VARCHAR);
CREATE OR REPLACE TEMPORARY TABLE chain (said VARCHAR);
CREATE OR REPLACE TEMPORARY TABLE bound (name VARCHAR, said VARCHAR, least INTEGER, most INTEGER);

CREATE OR REPLACE TEMPORARY TABLE reached (depth INTEGER, tail_id INTEGER, nodes INTEGER[], edges INTEGER[], score DOUBLE);
