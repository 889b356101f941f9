"""Numbers of MOSAIC that can be worked out on paper, fed to one step of the beam."""

from __future__ import annotations

from typing import Any

import pytest
from random_store import insert

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database
from mosaic_sql.policy import Policy, default_policy

SUMS = (
    "relation", "aim", "specific", "anchored", "aligned", "coherent", "hub", "first", "last", "repeated",
    "question_like",
)  # fmt: skip


def step(database: Database, chosen: Policy) -> list[dict[str, Any]]:
    controls = {**chosen.walk.model_dump(), **chosen.walk.weights.model_dump(), **chosen.evidence.model_dump()}
    values = {**controls, "rule_relation_id": -1, "keep_pruned": False}
    sql = sqlfiles.compose("walk.beam_step", {"hop": "walk.hop", "grow": "walk.grow", "score": "walk.path_score"})
    params = {name: values[name] for name in sqlfiles.parameters(sql)}
    rows = database.connection.sql(sql, params=params).to_arrow_table()
    return list(rows.to_pylist())


def frontier(database: Database, depth: int, row: dict[str, Any]) -> None:
    """One kept path, as the depth before left it."""
    values = {"question_id": 1, "depth": depth, "path_id": depth * 1000 + row["tail_id"], "kept": True, "score": 0.0}
    columns = {**values, **row}
    sums = "{" + ", ".join(f"'{name}': {columns.get('sums', {}).get(name, 0.0)}::DOUBLE" for name in SUMS) + "}"
    plain = [name for name in columns if name != "sums"]
    database.connection.execute(
        f"INSERT INTO walk BY NAME SELECT {', '.join(f'${name} AS {name}' for name in plain)}, {sums} AS sums, "
        "1 AS targets, 0 AS facets",  # the one target is seen
        {name: columns[name] for name in plain},
    )


def graph(database: Database, edges: list[tuple[int, int, int, int]]) -> None:
    """Edges (edge, source, relation, target), each like the question by 0.6 and beside an anchor."""
    insert(database, "edge", "edge_id, source_id, relation_id, target_id", edges)
    database.execute("ingest.derive_adjacency")
    insert(
        database,
        "edge_score",
        "question_id, edge_id, similarity, alignment, anchored",
        [(1, edge, 0.6, 0.5, True) for edge, *_ in edges],
    )
    nodes = sorted({node for _, source, _, target in edges for node in (source, target)})
    insert(
        database,
        "node_score",
        "question_id, node_id, similarity, relevance, specificity, hub_exposure, question_like, is_target, targets",
        [(1, node, 0.5, 0.5, 0.4, 0.2, 0.0, False, int(node == nodes[0])) for node in nodes],
    )
    target = {"group_id": 0, "alias_key": "x", "weight": 1.0, "node_id": nodes[0]}
    database.connection.execute("INSERT INTO question (question_id, targets) VALUES (1, [$target])", {"target": target})
    insert(database, "aim", "question_id, groups, facets", [(1, 1, 0)])


@pytest.mark.parametrize(
    ("relation", "question_like", "anchor_strength", "score"),
    [(8, 0.0, 0.0, 0.575), (7, 0.0, 0.0, 0.075), (8, 1.0, 0.0, -0.425), (8, 0.0, 0.7, 0.680)],
)
def test_two_hops_score_as_worked_out(
    empty: Database, relation: int, question_like: float, anchor_strength: float, score: float
) -> None:
    graph(empty, [(1, 10, 7, 11), (2, 11, relation, 12)])
    empty.connection.execute(f"UPDATE node_score SET question_like = {question_like} WHERE node_id = 12")
    sums = {
        "relation": 0.6,
        "aim": 0.4,
        "specific": 0.4,
        "anchored": 1,
        "aligned": 0.5,
        "coherent": 0.6,
        "hub": 0.2,
        "last": 0.6,
    }
    frontier(empty, 1, {"tail_id": 11, "nodes": [10, 11], "edges": [1], "relations": [7], "sums": sums,
                        "seen_nodes": [10, 11], "seen_edges": [1]})  # fmt: skip
    (row,) = step(empty, Policy.parse({"anchor_strength": anchor_strength}, base=default_policy("beam")))
    # the paper's path hangs together by 0.7; ours by what both edges have in common with the question, 0.6
    assert row["score"] == pytest.approx(score - 0.05 * (0.7 - 0.6), abs=1e-12)


@pytest.mark.parametrize(
    ("depth", "seen", "paths", "new_nodes", "gain", "stops"),
    [
        (2, 23, 8, 5, 0.565, {"shallow"}),
        (3, 36, 6, 3, 0.25, {"shallow", "medium"}),
        (4, 45, 5, 2, 0.156, {"shallow", "medium", "deep"}),
    ],
)
@pytest.mark.parametrize("regime", ["shallow", "medium", "deep"])
@pytest.mark.parametrize("floor", [0.35, 0.80])
def test_a_walk_stops_where_little_is_gained_and_enough_is_covered(
    empty: Database,
    depth: int,
    seen: int,
    paths: int,
    new_nodes: int,
    gain: float,
    stops: set[str],
    regime: str,
    floor: float,
) -> None:
    graph(empty, [(100 + i, i, i, 50 + i % new_nodes) for i in range(paths)])
    for node in range(paths):
        frontier(empty, depth - 1, {"tail_id": node, "nodes": [90, node], "edges": [node], "relations": [-1],
                                    "seen_nodes": [*range(paths), *range(90, 90 + seen - 2 * paths)],
                                    "seen_edges": list(range(paths))})  # fmt: skip
    controls = {"max_depth": 5, "stop_regime": regime, "completeness_floor": floor, "evidence_count": 1000}
    rows = step(empty, Policy.parse(controls, base=default_policy("beam")))
    assert len(rows) == paths
    assert {round(row["gain"], 3) for row in rows} == {gain}
    # the one target is seen: 0.5 / 0.7, and hardly any volume
    assert {0.7 < row["completeness"] < 0.8 for row in rows} == {True}
    assert {row["stopped"] for row in rows} == {"low_gain" if regime in stops and floor == 0.35 else None}


@pytest.mark.parametrize(
    ("mode", "first"), [("hybrid", [(1, 0.59), (2, 0.55)]), ("relation_only", [(2, 0.7), (1, 0.5)])]
)
def test_hybrid_seeds_turn_the_order_of_relations_alone(
    empty: Database, mode: str, first: list[tuple[int, float]]
) -> None:
    """Eq. 6 and 7: entity .8 with relation .5, entity .2 with relation .7."""
    edges = [(1, 1, 0, 3, [2000, 3464, 0, 0, 0, 0, 0, 0]), (2, 2, 0, 4, [2800, 2857, 0, 0, 0, 0, 0, 0])]
    insert(empty, "edge", "edge_id, source_id, relation_id, target_id, embedding", edges)
    insert(empty, "query", "question_id, role, query_no, embedding", [(1, "seed", 0, [4000, 0, 0, 0, 0, 0, 0, 0])])
    insert(empty, "node_score", "question_id, node_id, similarity, targets", [(1, 1, 0.8, 0), (1, 2, 0.2, 0)])
    rows = empty.rows("seed.beam", selection_mode=mode, seed_query_mode="full_query", seed_limit=7)
    found = [(item, score) for _, _, item, _, score, _ in rows if item in (1, 2)]
    assert found == [(item, pytest.approx(score, abs=1e-12)) for item, score in first]
