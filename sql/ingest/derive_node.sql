-- name: ingest.derive_node
-- doc: Degree, chunk count, specificity and hub share of every node, in 2^-16 where they are fractions.
-- params: none
-- returns: none
-- order: none
UPDATE node
SET degree = s.degree, chunk_count = s.chunk_count, specificity = s.specificity, hub_share = s.hub_share
FROM (
    WITH degree AS (
        SELECT node_id, count(*) AS n
        FROM (
            SELECT source_id AS node_id FROM edge
            UNION ALL
            SELECT target_id FROM edge WHERE target_id <> source_id
        )
        GROUP BY node_id
    ), presence AS (
        SELECT node_id, count(*) AS n
        FROM (
            SELECT node_id, chunk_id FROM mention
            UNION
            SELECT node_id, chunk_id FROM title_page
        )
        GROUP BY node_id
    ), size AS (
        SELECT greatest(2, (SELECT count(*) FROM chunk), (SELECT max(degree.n) + 1 FROM degree)) AS n,
               (SELECT count(*) > 0 FROM chunk) AS has_text,
               greatest(1, (SELECT quantile_disc(degree.n, 0.99) FROM degree)) AS hub
    )
    SELECT v.node_id,
           coalesce(d.n, 0)::INTEGER AS degree,
           coalesce(p.n, 0)::INTEGER AS chunk_count,
           -- in a corpus without text a node's edges stand for its chunks
           round(65536 * (
               1 - ln(greatest(1, CASE WHEN z.has_text THEN p.n ELSE d.n END))
                   / ln(CASE WHEN z.has_text THEN c.n ELSE z.n END)
           ))::INTEGER
               AS specificity,
           round(65536 * least(1, coalesce(d.n, 0) / z.hub))::INTEGER AS hub_share
    FROM node AS v
    CROSS JOIN size AS z
    CROSS JOIN (SELECT greatest(2, count(*)) AS n FROM chunk) AS c
    LEFT JOIN degree AS d ON d.node_id = v.node_id
    LEFT JOIN presence AS p ON p.node_id = v.node_id
) AS s
WHERE s.node_id = node.node_id
