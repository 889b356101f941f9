"""The stages after the walk against plain Python, on random graphs with properties of mixed and broken values."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from mosaic_sql import pattern, refine, render
from mosaic_sql.database import Database, open_database
from mosaic_sql.pipeline.automata import automata
from mosaic_sql.policy import Policy, default_policy
from mosaic_sql.records import Catalogue, Property, Target
from mosaic_sql.render import Form, Question

RELATIONS = ("wrote", "cites", "of")
KINDS = ("person", "work", "era")
PATTERNS = ("wrote", "~any{2}", "wrote / ^cites", "cites{1,2} / of[work]", "^wrote / ~cites", "~of / any / ^any")
NUMBERS = (1, 2, 2, 7.5, "1,200", "many", None, -3, "nan")
DATES = ("1901", "1901-05", "1901-05-17", "1899-12-31", "3 May 1905", "soon", None, "1905", "+1903-00-00T00:00:00Z")


@dataclass
class World:
    """A random graph, as rows in a file and as Python."""

    database: Database
    catalogue: Catalogue
    kinds: dict[int, str]
    numbers: dict[int, Any]
    edges: list[tuple[int, int, int, int]]
    since: dict[int, Any]
    until: dict[int, Any]

    def steps(self, node: int) -> list[tuple[int, int, int, bool]]:
        """(edge, neighbour, relation, forward); a loop once, forward."""
        out = [(e, t, r, True) for e, s, r, t in self.edges if s == node]
        return out + [(e, s, r, False) for e, s, r, t in self.edges if t == node and s != t]


@lru_cache
def world(seed: int) -> World:
    rng = random.Random(seed)
    database = open_database(":memory:")
    for name in ("1_corpus", "2_search"):
        database.script(name, dimension=8)
    nodes = list(range(rng.randint(4, 11)))
    kinds = {node: rng.choice(KINDS) for node in nodes}
    numbers = {node: rng.choice(NUMBERS) for node in nodes}
    edges = [
        (edge, rng.choice(nodes), rng.randrange(3), rng.choice(nodes)) for edge in range(rng.randint(4, 3 * len(nodes)))
    ]
    since = {edge[0]: rng.choice(DATES) for edge in edges}
    until = {node: rng.choice(DATES) for node in nodes}
    connection = database.connection
    for number, relation in enumerate(RELATIONS):
        connection.execute("INSERT INTO relation (relation_id, relation) VALUES (?, ?)", [number, relation])
    for node in nodes:
        told = {"size": numbers[node], "end date": until[node]}
        connection.execute(
            "INSERT INTO node BY NAME SELECT ? AS node_id, ? AS name, [?] AS kinds, ?::JSON AS properties,"
            " 'graph' AS origin",
            [node, f"n{node}", kinds[node], _json(told)],
        )
    for edge, source, relation, target in edges:
        connection.execute(
            "INSERT INTO edge BY NAME SELECT ? AS edge_id, ? AS source_id, ? AS relation_id, ? AS target_id,"
            " ?::JSON AS properties, 'graph' AS origin",
            [edge, source, relation, target, _json({"since": since[edge]})],
        )
    for name in ("node", "adjacency", "schema_property"):
        database.execute(f"ingest.derive_{name}")
    known = (
        Property("node", "work", "size", "number", 9),
        Property("node", "era", "end date", "date", 9),
        Property("edge", "wrote", "since", "date", 9),
    )
    catalogue = Catalogue(0, 9, 9, 0, KINDS, tuple(enumerate(RELATIONS)), (), known)
    return World(database, catalogue, kinds, numbers, edges, since, until)


def _json(values: dict[str, Any]) -> str:
    parts = [
        f'"{key}": ' + ("null" if value is None else f'"{value}"' if isinstance(value, str) else str(value))
        for key, value in values.items()
    ]
    return "{" + ", ".join(parts) + "}"


def run(store: World, anchors: list[list[int]], **controls: Any) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    """Rows of `arrival` and of `refine` for one question."""
    policy = Policy.parse({"operator": "meta_path", **controls}, base=default_policy("meta_path"))
    targets = tuple(
        Target(group, "x", "x", 1.0, tuple(ids), (), 0, 0, "given", graph_ids=tuple(ids))
        for group, ids in enumerate(anchors)
    )
    rows, arms = automata(policy, store.catalogue, targets)
    question = Question(0, "?", None, targets=targets, transitions=rows, arms=arms)
    statements = render.render([question], policy, Form(8), refine.plan(policy, store.catalogue))
    for statement in statements:
        if statement.stage in render.VIEWS:
            store.database.change(statement)
        elif statement.stage != "evidence":
            store.database.fill(statement)
    refined = store.database.table("refine.rows").to_pylist()
    return store.database.connection.execute("FROM arrival").fetchall(), refined


# -- the same in Python ----------------------------------------------------------------------------------------------


def paths(store: World, starts: list[int], text: str, barred: set[int]) -> Iterator[tuple[int, int]]:
    """(last edge, last node) of every way through graph and automaton that passes no node that is barred."""
    automaton = pattern.parse(text)
    stack = [(node, 0, -1) for node in starts]
    while stack:
        node, state, edge = stack.pop()
        if edge >= 0 and state in automaton.accepting:
            yield edge, node
        for transition, (next_edge, neighbour, relation, forward) in itertools.product(
            automaton.transitions, store.steps(node)
        ):
            if (
                transition.state == state
                and transition.relation in (None, RELATIONS[relation])
                and (transition.forward in (None, forward) or neighbour == node)
                and transition.kind in (None, store.kinds[neighbour])
                and neighbour not in barred
            ):
                stack.append((neighbour, transition.next_state, next_edge))


def arrivals(store: World, anchors: list[list[int]], texts: list[str]) -> dict[tuple[int, int, int], int]:
    """(arm, node, last edge) -> paths."""
    found: dict[tuple[int, int, int], int] = defaultdict(int)
    for arm, (ids, text) in enumerate(zip(anchors, texts, strict=True)):
        for start in sorted(set(ids)):
            for edge, node in paths(store, [start], text, {start}):
                found[arm, node, edge] += 1
    return found


def often(store: World, node: int, edges: Iterable[int]) -> int:
    """Edges of a node, those to one other along several relations or both ways as many as along the one of most."""
    along: dict[int, Counter[tuple[int, bool]]] = defaultdict(Counter)
    for edge, other, relation, forward in store.steps(node):
        if edge in set(edges):
            along[other][relation, forward] += 1
    return sum(max(counts.values()) for counts in along.values())


def summed(rows: list[tuple[Any, ...]]) -> dict[tuple[int, int, int], int]:
    found: dict[tuple[int, int, int], int] = defaultdict(int)
    for _, arm, node, edge, _, _, count in rows:
        found[arm, node, edge] += count
    return found


def size(value: Any) -> float | None:
    span = None if value is None else refine.period(str(value), "number")
    return None if span is None else span[0]


# -- tests -----------------------------------------------------------------------------------------------------------

SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 40))]


def pick(store: World, rng: random.Random, groups: int) -> list[list[int]]:
    return [sorted(rng.sample(sorted(store.kinds), rng.randint(1, 2))) for _ in range(groups)]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_last_edge_is_found_with_the_number_of_paths_over_it(seed: int) -> None:
    store, rng = world(seed), random.Random(seed)
    for text in rng.sample(PATTERNS, 3):
        anchors = pick(store, rng, 1)
        rows, refined = run(store, anchors, pattern=text, sort_by="paths")
        expected = arrivals(store, anchors, [text])
        assert summed(rows) == expected
        over: dict[int, dict[int, int]] = defaultdict(dict)
        for (_, node, edge), count in expected.items():
            over[node][edge] = count
        totals = {node: (sum(own.values()), often(store, node, own)) for node, own in over.items()}
        assert {row["node_id"]: (row["paths"], row["edge_count"]) for row in refined} == totals
        order = [(-row["paths"], row["depth"], row["node_id"]) for row in refined]
        assert order == sorted(order)
        assert [row["rank"] for row in refined] == list(range(1, len(refined) + 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("combine", ["union", "intersection", "difference"])
def test_sets_of_several_anchors_in_one_walk(seed: int, combine: str) -> None:
    store, rng = world(seed), random.Random(seed)
    anchors = pick(store, rng, 3)
    texts = [rng.choice(PATTERNS) for _ in anchors]
    included = rng.randint(1, 2)
    rows, refined = run(
        store, anchors, pattern=texts[0], arms=texts[1:], combine=combine, included=included, max_depth=10
    )
    expected = arrivals(store, anchors, texts)
    assert summed(rows) == expected
    sets = [{node for arm, node, _ in expected if arm == wanted} for wanted in range(3)]
    wanted = {
        "union": set.union(*sets),
        "intersection": set.intersection(*sets),
        "difference": set.intersection(*sets[:included]) - set.union(*sets[included:]),
    }[combine]
    assert {row["node_id"] for row in refined if row["kept"]} == wanted
    assert {row["node_id"] for row in refined} == set.union(*sets)
    assert {row["pruned_by"] for row in refined if not row["kept"]} <= {"combine"}


@pytest.mark.parametrize("seed", SEEDS)
def test_filter_group_order_offset_and_limit(seed: int) -> None:
    store, rng = world(seed), random.Random(seed)
    anchors, text = pick(store, rng, 1), "~any{1,2}"
    having, count = rng.choice([("none", 1), ("=", 1), (">=", 2), ("<=", 2)])
    compare, low = rng.choice(["<", ">", "<=", ">=", "=", "!="]), rng.choice([1, 2, 7])
    filtered = rng.random() < 0.5
    descending, offset, limit = rng.random() < 0.5, rng.randint(0, 2), rng.choice([None, 1, 3])
    _, refined = run(
        store,
        anchors,
        pattern=text,
        attribute="size",
        sort_by="attribute",
        having=having,
        having_count=count,
        filters=[f"size {compare} {low}"] if filtered else [],
        descending=descending,
        offset=offset,
        limit=limit,
    )
    edges: dict[int, set[int]] = defaultdict(set)
    for (_, node, edge), _paths in arrivals(store, anchors, [text]).items():
        edges[node].add(edge)
    depth = {row["node_id"]: row["depth"] for row in refined}
    signs = {
        "<": float.__lt__,
        ">": float.__gt__,
        "<=": float.__le__,
        ">=": float.__ge__,
        "=": float.__eq__,
        "!=": float.__ne__,
    }

    def stands(node: int) -> bool:
        value = size(store.numbers[node])
        return not filtered or (value is not None and signs[compare](value, float(low)))

    holds = {"none": True, "=": None}
    left = [
        node
        for node in edges
        if stands(node)
        and (
            holds.get(having)
            or {"=": len(edges[node]) == count, ">=": len(edges[node]) >= count, "<=": len(edges[node]) <= count}[
                having
            ]
        )
    ]

    def place(node: int) -> tuple[Any, ...]:
        value = size(store.numbers[node])
        return (value is None, (-value if descending else value) if value is not None else 0, depth[node], node)

    left.sort(key=place)
    wanted = left[offset:] if limit is None else left[offset : offset + limit]
    assert [row["node_id"] for row in refined if row["kept"]] == wanted
    assert {row["node_id"] for row in refined} == set(edges)


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_of_one_step_are_counted_at_every_answer(seed: int) -> None:
    store, rng = world(seed), random.Random(seed)
    anchors, text = pick(store, rng, 1), rng.choice(["^wrote", "~cites[work]", "any | ^of", "of | cites[era]"])
    _, refined = run(
        store, anchors, pattern="~any{1,2}", degree_of=text, sort_by="degree", having=">=", having_of="degree"
    )
    counted = {node: {edge for edge, _ in paths(store, [node], text, set())} for node in store.kinds}
    degrees = {node: often(store, node, own) for node, own in counted.items()}
    order = [(-degrees[row["node_id"]], row["depth"], row["node_id"]) for row in refined if row["kept"]]
    assert order == sorted(order)
    for row in refined:
        own = counted[row["node_id"]]
        assert (row["degree"], row["kept"]) == (degrees[row["node_id"]], len(own) >= 1)
        assert own <= set(row["edges"])


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_that_hold_at_a_time(seed: int) -> None:
    """An edge begins, and has no end; one that does not tell when is not held to hold."""
    store, rng = world(seed), random.Random(seed)
    anchors, text, during = (
        pick(store, rng, 1),
        "~any{1,2}",
        rng.choice(["1901", "until 1901-05", "1890 to 1903", "before 1905"]),
    )
    _, refined = run(store, anchors, pattern=text, during=during)
    last = refine.window(during)[1]
    begun = {edge: refine.period(str(value), "date") for edge, value in store.since.items()}
    holds = {edge for edge, span in begun.items() if span is not None and span[0] <= last}
    wanted = {node for _, node, edge in arrivals(store, anchors, [text]) if edge in holds}
    assert {row["node_id"] for row in refined if row["kept"]} == wanted
    assert {edge for row in refined if row["kept"] for edge in row["edges"]} <= holds


@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_that_meet(seed: int) -> None:
    """The edge begins (and has no end), the era ends (and has no beginning)."""
    store, rng = world(seed), random.Random(seed)
    anchors, text = pick(store, rng, 1), "any / ~any"
    _, refined = run(store, anchors, pattern=text, overlap_kind="era")
    begun = [refine.period(str(store.since[edge]), "date") for _, _, edge in arrivals(store, anchors, [text])]
    firsts = [span[0] for span in begun if span is not None]
    ended = {node: refine.period(str(store.until[node]), "date") for node, kind in store.kinds.items() if kind == "era"}
    wanted = {node for node, span in ended.items() if span is not None and any(first <= span[1] for first in firsts)}
    assert {row["node_id"] for row in refined if row["kept"]} == wanted


def test_python_and_sql_read_a_value_alike() -> None:
    """A bound is read in Python, a value in SQL: they must mean the same day and the same number."""
    texts = [
        *map(str, (*NUMBERS, *DATES)), "1990-02-30", " 1990 ", "12e3", "1.", ".5", "-0044-03-15", "1,2,3", "0043",
        "1990-5-7", "May 5, 1990", "1990/05/07", "May 1990", "12,000.50", "1e400",
    ]  # fmt: skip
    with open_database(":memory:") as database:
        for name in ("1_corpus", "2_search", "7_refine"):
            database.script(name, dimension=8)
        for kind in ("number", "date"):
            for number, text in enumerate(texts):
                database.connection.execute("INSERT INTO told VALUES (0, ?, 0, NULL, ?, ?)", [number, text, kind])
            rows = {row[1]: row[6:] for row in database.rows("refine.typed") if row[5] == kind}
            for number, text in enumerate(texts):
                span = refine.period(text, kind)
                assert rows[number] == (span or (None, None)), (kind, text)


def test_the_same_rows_on_any_thread_count() -> None:
    store, anchors = world(3), [[0, 1], [2]]
    controls = {
        "pattern": "~any{1,3}",
        "combine": "union",
        "arms": ["any"],
        "attribute": "size",
        "sort_by": "attribute",
    }
    found = []
    for threads in (1, 2, 4):
        store.database.connection.execute(f"SET threads = {threads}")
        found.append(run(store, anchors, **controls))
    assert found[0] == found[1] == found[2]
    assert found[0][1]
