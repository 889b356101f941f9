"""How the engine runs the walks: recursion and hash joins, and nothing that multiplies rows with rows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from random_store import DIMENSION, KINDS, Store, insert, policy, random_question, random_store, transitions

from mosaic_sql import link
from mosaic_sql.records import RenderedQuery, Target
from mosaic_sql.render import Form, Query, Question, render
from mosaic_sql.resident import Resident

EXPAND = ("join", "resident")
CASES = {
    "chunk_hop": {"max_depth": 2},
    "beam": {"max_depth": 3, "use_connector": True},
    "bfs": {"max_depth": 2},
    "meta_path": {},
    "shortest_path": {"fan_out": 3},
    "constrained_shortest_path": {"fan_out": 3},
    "pagerank": {},
}
RECURSIONS = {"reach": 2, "corridor": 1, "walk": 1}
MULTIPLYING = {"CROSS_PRODUCT", "NESTED_LOOP_JOIN", "BLOCKWISE_NL_JOIN", "POSITIONAL_JOIN"}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """Filled, and large enough that no branch can be folded away or made a scan of one row."""
    with random_store(2) as filled:
        rng = random.Random(2)
        edges = [(1000 + i, rng.randrange(400), rng.randrange(4), rng.randrange(400)) for i in range(3000)]
        insert(filled.database, "edge", "edge_id, source_id, relation_id, target_id", edges)
        new = sorted(set(range(400)) - set(filled.nodes))
        insert(filled.database, "node", "node_id, name, kinds", [(n, f"n{n}", [rng.choice(KINDS)]) for n in new])
        filled.database.execute("ingest.derive_node")
        filled.database.execute("ingest.derive_adjacency")
        resident = Resident.load(filled.database)
        assert resident is not None
        resident.register(filled.database)
        yield filled


def question(store: Store) -> Question:
    rng = random.Random(1)
    targets = tuple(Target(g, f"n{n}", f"n{n}", 1.0, (n,), (f"n{n}",), 0, 2, "") for g, n in enumerate(store.nodes[:2]))
    rows = transitions("~any[person] / (wrote | ^part_of{1,2}) / ~any{0,2}")
    return random_question(
        rng,
        store,
        1,
        targets=targets,
        topics=(399,),
        transitions=rows,
        vector=(1000.0,) * DIMENSION,
        queries=(Query("facet", "river", (1000.0,) * DIMENSION, link.terms(store.database, "river")),),
    )


def walks_of(store: Store, operator: str, expand: str) -> Iterator[RenderedQuery]:
    """The walk's statements, each with every stage before it filled."""
    for stage in render([question(store)], policy(operator, **CASES[operator]), Form(DIMENSION, expand=expand)):
        if stage.stage in RECURSIONS:
            yield stage
        store.database.change(stage)


def plan_of(store: Store, query: RenderedQuery) -> str:
    """The engine's plan as JSON text."""
    ((_, plan),) = store.database.connection.execute(
        f"EXPLAIN (FORMAT JSON) {query.sql}", query.params or None
    ).fetchall()
    return str(plan)


def operators(node: dict[str, Any]) -> Iterator[str]:
    yield node["name"].strip()
    for child in node.get("children", []):
        yield from operators(child)


@pytest.mark.parametrize("expand", EXPAND)
@pytest.mark.parametrize("operator", CASES)
def test_a_walk_is_a_recursion_of_hash_joins(store: Store, operator: str, expand: str) -> None:
    for stage in walks_of(store, operator, expand):
        (plan,) = json.loads(plan_of(store, stage))
        used = list(operators(plan))
        assert used.count("REC_CTE") == RECURSIONS[stage.stage or ""]
        assert "HASH_JOIN" in used
        assert MULTIPLYING & set(used) == set(), stage.name
        assert "EMPTY_RESULT" not in used  # a folded branch would prove nothing


@pytest.mark.parametrize("operator", [name for name in CASES if name != "chunk_hop"])
def test_the_resident_form_does_not_read_the_adjacency(store: Store, operator: str) -> None:
    plans = {expand: "".join(plan_of(store, walk) for walk in walks_of(store, operator, expand)) for expand in EXPAND}
    assert plans["join"].count(".adjacency") >= 1
    assert plans["resident"].count(".adjacency") == 0


@pytest.mark.parametrize("operator", ["meta_path", "constrained_shortest_path"])
def test_the_resident_form_does_not_read_the_kinds_of_all_nodes(store: Store, operator: str) -> None:
    plans = {expand: "".join(plan_of(store, walk) for walk in walks_of(store, operator, expand)) for expand in EXPAND}
    assert plans["join"].count('"kinds"') > plans["resident"].count('"kinds"')
    assert plans["resident"].count('"kinds"') <= 1  # those of the anchors, found by their ids


@pytest.mark.parametrize("operator", CASES)
def test_the_walk_finds_something_here(store: Store, operator: str) -> None:
    assert list(walks_of(store, operator, "join"))
    assert store.rows("SELECT count(*) > 3 FROM walk") == [(True,)]
