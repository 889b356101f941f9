"""The typed walks against networkx and plain sets on random graphs: thousands of questions, many in one statement."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx
import numpy as np
import pytest
from path_oracle import Graph, Part, Path, looked_at, random_part
from random_store import Store, policy, random_store, run, transitions, walk

from mosaic_sql.pattern import any_path
from mosaic_sql.records import Target
from mosaic_sql.render import Question

SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
BATCH = 100
EVERY = 10_000_000
DIRECTIONS = ("either", "forward", "backward")
Ends = tuple[tuple[int, ...], ...]


@pytest.fixture(scope="module", params=SEEDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with random_store(100 + request.param, with_vectors=False) as filled:
        yield filled


@pytest.fixture
def rng(store: Store) -> random.Random:
    return random.Random(len(store.edges))


def asked(number: int, ends: Ends, rules: Sequence[Any] = ()) -> Question:
    targets = tuple(
        Target(group, f"n{ids[0]}", f"n{ids[0]}", 1.0, ids, ("",) * len(ids), 0, 2, "")
        for group, ids in enumerate(ends)
    )
    return Question(number, "q", None, targets=targets, transitions=tuple(rules))


def random_ends(rng: random.Random, store: Store, groups: int) -> Ends:
    """Nodes of one or two names; one in five names stands for two nodes, and two names may share one."""
    many = (1, 1, 1, 1, 2)
    return tuple(tuple(sorted(rng.sample(store.nodes, rng.choice(many)))) for _ in range(groups))


def of(rows: Sequence[dict[str, Any]], number: int, view: str = "answer") -> list[dict[str, Any]]:
    return [row for row in rows if row["question_id"] == number and row["view"] == view]


def capped(rows: Sequence[dict[str, Any]], number: int) -> set[int]:
    return {row["tail_id"] for row in rows if row["question_id"] == number and "fan_out" in (row["stopped"] or "")}


# -- paths -----------------------------------------------------------------------------------------------------------


def found(rows: Sequence[dict[str, Any]], number: int) -> list[tuple[list[int], list[int], bool]]:
    answers = of(rows, number)
    assert [row["rank"] for row in answers] == list(range(1, len(answers) + 1))
    return [(row["nodes"], row["edges"], row["kept"]) for row in answers]


def ranked(graph: Graph, paths: set[Path], limit: int) -> list[Any]:
    """The first `limit` in order, and the others as long as the last of them, which are not kept."""
    order = sorted(((list(nodes), list(edges)) for nodes, edges in paths), key=graph.order)
    longest = len(order[:limit][-1][1]) if order else 0
    return [(*path, place <= limit) for place, path in enumerate(order, 1) if len(path[1]) <= longest]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_shortest_paths_are_those_of_networkx(store: Store, rng: random.Random, direction: str) -> None:
    graph, cases = Graph(store), [random_ends(rng, store, 2) for _ in range(BATCH)]
    limit, hops, expand = rng.choice((1, 3, 1000)), rng.choice((1, 2, 3, 4)), rng.choice(("join", "resident"))
    chosen = policy("shortest_path", max_depth=hops, path_limit=limit, direction=direction)
    questions = [asked(number, ends, any_path(direction)) for number, ends in enumerate(cases)]
    rows = walk(run(store, questions, chosen, expand=expand))
    wanted = {"either": (True, False), "forward": (True,), "backward": (False,)}[direction]
    for number, (a, b) in enumerate(cases):
        paths = graph.distinct(
            path for path in graph.simple_paths(set(a), set(b), hops) if all(step[3] in wanted for step in path[2])
        )
        assert found(rows, number) == ranked(graph, paths, limit), (a, b, hops, limit)
        assert capped(rows, number) == set()


def test_paths_that_a_pattern_accepts_are_those_of_networkx_that_match_it(store: Store, rng: random.Random) -> None:
    graph, cases = Graph(store), [random_ends(rng, store, 2) for _ in range(BATCH)]
    parts = [random_part(rng) for _ in cases]
    limit, expand = rng.choice((1, 3, 1000)), rng.choice(("join", "resident"))
    chosen = policy("constrained_shortest_path", max_depth=5, path_limit=limit)
    questions = [
        asked(number, ends, transitions(part.text()))
        for number, (ends, part) in enumerate(zip(cases, parts, strict=True))
    ]
    rows = walk(run(store, questions, chosen, expand=expand))
    for number, ((a, b), part) in enumerate(zip(cases, parts, strict=True)):
        paths = graph.distinct(
            path for path in graph.simple_paths(set(a), set(b), 5) if len(path[2]) in part.ends(path[2], 0, graph.kinds)
        )
        paths |= {((node,), ()) for node in set(a) & set(b)} if accepts_nothing(part, graph) else set()
        assert found(rows, number) == ranked(graph, paths, limit), (a, b, part.text())


def accepts_nothing(part: Part, graph: Graph) -> bool:
    """Whether the empty path matches."""
    return 0 in part.ends([], 0, graph.kinds)


@pytest.mark.parametrize("fan_out", [1, 2, 3])
def test_a_cap_leaves_the_paths_over_what_either_end_looked_at(store: Store, rng: random.Random, fan_out: int) -> None:
    graph, cases = Graph(store), [random_ends(rng, store, 2) for _ in range(BATCH)]
    direction, expand = rng.choice(DIRECTIONS), rng.choice(("join", "resident"))
    chosen = policy("shortest_path", max_depth=4, path_limit=50, direction=direction, fan_out=fan_out)
    questions = [asked(number, ends, any_path(direction)) for number, ends in enumerate(cases)]
    rows = walk(run(store, questions, chosen, expand=expand))
    for number, (a, b) in enumerate(cases):
        steps, cut = looked_at(graph, set(a), set(b), 4, fan_out=fan_out, direction=direction)
        paths = graph.distinct(graph.simple_paths(set(a), set(b), 4, steps))
        assert found(rows, number) == ranked(graph, paths, 50), (a, b)
        assert capped(rows, number) == cut


def test_a_budget_of_paths_is_told_and_what_is_found_is_true(store: Store, rng: random.Random) -> None:
    graph, cases = Graph(store), [random_ends(rng, store, 2) for _ in range(BATCH)]
    questions = [asked(number, ends, any_path("either")) for number, ends in enumerate(cases)]
    chosen = policy("shortest_path", max_depth=4, path_limit=1000, row_budget=12)
    cut = walk(run(store, questions, chosen, keep_pruned=True))
    whole = walk(run(store, questions, policy("shortest_path", max_depth=4, path_limit=1000)))
    for number, (a, b) in enumerate(cases):
        some = {(tuple(nodes), tuple(edges)) for nodes, edges, _ in found(cut, number)}
        every = graph.distinct(graph.simple_paths(set(a), set(b), 4))
        assert some <= every
        assert len([row for row in cut if row["question_id"] == number]) <= 12 + len(a)
        told = any("row_budget" in (row["stopped"] or "") for row in cut if row["question_id"] == number)
        assert told or some == {(tuple(nodes), tuple(edges)) for nodes, edges, _ in found(whole, number)}


# -- sets of nodes ---------------------------------------------------------------------------------------------------


def test_a_pattern_reaches_the_nodes_that_its_parts_lead_to_step_by_step(store: Store, rng: random.Random) -> None:
    graph, cases = Graph(store), [random_ends(rng, store, 1) for _ in range(2 * BATCH)]
    parts = [random_part(rng, 3) for _ in cases]
    questions = [
        asked(number, ends, transitions(part.text()))
        for number, (ends, part) in enumerate(zip(cases, parts, strict=True))
    ]
    rows = walk(run(store, questions, policy("meta_path", max_depth=20), expand=rng.choice(("join", "resident"))))
    for number, ((start,), part) in enumerate(zip(cases, parts, strict=True)):
        answers = of(rows, number)
        assert {row["tail_id"] for row in answers} == part.image(graph, set(start), set(start)), part.text()
        assert len({row["tail_id"] for row in answers}) == len(answers)


def test_a_test_of_the_first_node_chooses_among_the_anchors(store: Store, rng: random.Random) -> None:
    graph, cases = Graph(store), [tuple(sorted(rng.sample(store.nodes, 3))) for _ in range(BATCH)]
    parts = [random_part(rng) for _ in cases]
    questions = [
        asked(number, (ids,), transitions(f"[person] / {part.text()}"))
        for number, (ids, part) in enumerate(zip(cases, parts, strict=True))
    ]
    rows = walk(run(store, questions, policy("meta_path", max_depth=20)))
    for number, (ids, part) in enumerate(zip(cases, parts, strict=True)):
        people = {node for node in ids if "person" in store.kinds[node]}
        assert {row["tail_id"] for row in of(rows, number)} == part.image(graph, people, people)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_bfs_finds_every_node_at_its_distance(store: Store, rng: random.Random, direction: str) -> None:
    network, cases = Graph(store).network(), [random_ends(rng, store, 1) for _ in range(BATCH)]
    wanted = {"either": (True, False), "forward": (True,), "backward": (False,)}[direction]
    steps = [(a, b) for a, b, forward in network.edges(data="forward") if forward in wanted]
    plain = nx.DiGraph(steps)
    plain.add_nodes_from(store.nodes)
    hops = rng.choice((1, 2, 3))
    questions = [asked(number, ends) for number, ends in enumerate(cases)]
    rows = walk(run(store, questions, policy("bfs", max_depth=hops, direction=direction)))
    for number, (start,) in enumerate(cases):
        distances = [nx.single_source_shortest_path_length(plain, node, cutoff=hops) for node in start]
        nearest = {node: min(one.get(node, 99) for one in distances) for one in distances for node in one}
        assert {row["tail_id"]: row["depth"] for row in of(rows, number, "pattern")} == nearest


# -- pagerank --------------------------------------------------------------------------------------------------------


def exact(store: Store, start: tuple[int, ...], damping: float) -> dict[int, float]:
    """Personalized PageRank by linear algebra over the network's matrix; a node without steps keeps what reaches it."""
    network = nx.MultiDiGraph()
    network.add_nodes_from(store.nodes)
    network.add_edges_from((node, step[1]) for node in store.nodes for step in Graph(store).steps(node))
    matrix = nx.to_numpy_array(network, nodelist=store.nodes)
    matrix += np.diag(matrix.sum(axis=1) == 0)
    moves = matrix / matrix.sum(axis=1, keepdims=True)
    begins = np.array([(node in start) / len(start) for node in store.nodes])
    mass = np.linalg.solve(np.eye(len(matrix)) - damping * moves.T, (1 - damping) * begins)
    return dict(zip(store.nodes, mass, strict=True))


def test_pagerank_is_that_of_linear_algebra_and_loses_no_mass(store: Store, rng: random.Random) -> None:
    cases = [random_ends(rng, store, 1) for _ in range(10)]
    damping, expand = rng.choice((0.5, 0.7)), rng.choice(("join", "resident"))
    chosen = policy("pagerank", damping=damping, rank_cutoff=1e-8, rank_rounds=200, rank_limit=5)
    questions = [asked(number, ends) for number, ends in enumerate(cases)]
    rows = walk(run(store, questions, chosen, expand=expand, keep_pruned=True))
    for number, (start,) in enumerate(cases):
        mine = {row["tail_id"]: row["score"] for row in rows if row["question_id"] == number}
        assert sum(round(mass * 2**40) for mass in mine.values()) == 2**40
        wanted = exact(store, start, damping)
        assert max(abs(mine.get(node, 0.0) - mass) for node, mass in wanted.items()) < 1e-6
        others = sorted((node for node in mine if node not in start), key=lambda node: (-mine[node], node))
        assert [row["tail_id"] for row in of(rows, number)] == others[:5]


def test_a_round_too_few_and_a_cap_are_told(store: Store) -> None:
    (hub, *_) = sorted(store.nodes, key=lambda node: -len(list(Graph(store).steps(node))))
    rows = walk(run(store, [asked(1, ((hub,),))], policy("pagerank", rank_rounds=1, fan_out=1)))
    assert capped(rows, 1) == {hub}
    assert {row["stopped"] for row in rows if row["tail_id"] != hub} == {"rank_rounds"}
    assert sum(round(row["score"] * 2**40) for row in rows) == 2**40


# -- any number of threads -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", ["bfs", "meta_path", "shortest_path", "constrained_shortest_path", "pagerank"])
def test_one_thread_and_four_give_equal_rows_in_both_forms(operator: str) -> None:
    with random_store(107, with_vectors=False) as store:
        rng = random.Random(operator)
        rules = any_path("either") if operator == "shortest_path" else transitions("~any{1,2} / (~any[person] | ~any)")
        questions = [asked(number, random_ends(rng, store, 2), rules) for number in range(10)]
        chosen = policy(operator, max_depth=4, fan_out=3, row_budget=20)
        outcomes = []
        for threads, expand in ((1, "join"), (4, "join"), (1, "resident"), (4, "resident")):
            store.database.connection.execute(f"SET threads = {threads}")
            run(store, questions, chosen, expand=expand, keep_pruned=True)
            outcomes.append(store.rows("SELECT * FROM walk ORDER BY rowid"))
        assert outcomes[0] == outcomes[1] == outcomes[2] == outcomes[3]
        assert len(outcomes[0]) > 40
