-- Empty tables of what comes after the walk, so that every file of sql/refine can be described and run as it stands.

CREATE OR REPLACE TEMPORARY TABLE arrival (
    question_id INTEGER,
    arm         INTEGER,  -- which anchor it was reached from, from 0
    node_id     INTEGER,
    edge_id     INTEGER,  -- the last edge; NULL for a node that was not walked to
    path_id     BIGINT,   -- a path of `walk` that ends in the node
    depth       INTEGER,
    paths       BIGINT    -- paths over that edge
);

CREATE OR REPLACE TEMPORARY TABLE attribute (
    question_id INTEGER,
    number      INTEGER,  -- which look-up
    node_id     INTEGER,
    edge_id     INTEGER,  -- of a property of the edge
    text        VARCHAR,
    type        VARCHAR,  -- 'number', 'date', 'bool' or 'text'
    low         DOUBLE,   -- the number, or the first day as year * 10000 + month * 100 + day
    high        DOUBLE    -- the number, or the last day: a partial date is a period
);

CREATE OR REPLACE TEMPORARY TABLE refine (
    question_id INTEGER,
    rank        INTEGER,
    node_id     INTEGER,
    edge_id     INTEGER,
    path_id     BIGINT,
    depth       INTEGER,
    value       VARCHAR,
    measure     DOUBLE,    -- what the order is by
    paths       BIGINT,
    edge_count  BIGINT,
    degree      INTEGER,
    edges       INTEGER[], -- last edges that lead to it
    kept        BOOLEAN,
    pruned_by   VARCHAR
);

-- Inside refine.attribute and refine.refine.
CREATE OR REPLACE TEMPORARY TABLE told (
    question_id INTEGER, number INTEGER, node_id INTEGER, edge_id INTEGER, text VARCHAR, type VARCHAR
);
CREATE OR REPLACE TEMPORARY TABLE checked (
    question_id INTEGER, arm INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, depth INTEGER, paths BIGINT,
    stands BOOLEAN
);
CREATE OR REPLACE TEMPORARY TABLE stand (
    question_id INTEGER, path_id BIGINT, tail_id INTEGER, depth INTEGER, state BIGINT
);
CREATE OR REPLACE TEMPORARY TABLE answer (node_id INTEGER);
CREATE OR REPLACE TEMPORARY TABLE filter (number INTEGER, compare VARCHAR, text VARCHAR, low DOUBLE, high DOUBLE);

CREATE OR REPLACE TEMPORARY TABLE passed (
    question_id INTEGER, node_id INTEGER, edge_id INTEGER, path_id BIGINT, unit INTEGER, stands BOOLEAN
);
