"""Gold of `bench polyg`: by hand on a small graph, against networkx and against brute force on generated ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import networkx as nx
import pytest

from mosaic_sql.bench.polyg import gold, graphs
from mosaic_sql.bench.polyg.world import World

Keys = dict[str, str]


def academia(papers: dict[str, tuple[str, str]], cites: Sequence[tuple[str, str]] = ()) -> tuple[World, Keys]:
    """A world from paper -> (venue, authors, one letter each), and who cites whom; keys by name."""
    world, keys = World("academia"), Keys()

    def key(kind: str, name: str) -> str:
        if name not in keys:
            keys[name] = world.add(kind, name)
        return keys[name]

    for paper, (venue, authors) in papers.items():
        world.join(key("paper", paper), "venue", key("venue", venue), inverse="paper")
        for author in authors:
            world.join(keys[paper], "author", key("author", author), inverse="paper")
    for one, other in cites:
        world.join(keys[one], "reference", keys[other], inverse="cited_by")
    return world, keys


@pytest.fixture
def small() -> tuple[World, Keys]:
    """P1 by A and B, P2 by B and C, P3 by C, P4 by D; P1 cites P4."""
    papers = {"P1": ("V", "AB"), "P2": ("W", "BC"), "P3": ("V", "C"), "P4": ("W", "D")}
    return academia(papers, [("P1", "P4")])


def named(world: World, keys: frozenset[str]) -> set[str]:
    return {world.nodes[key].name for key in keys}


@pytest.mark.parametrize(
    ("anchor", "path", "expected"),
    [
        ("A", "paper", {"P1"}),
        ("A", "paper / author", {"B"}),
        ("B", "paper / author", {"A", "C"}),
        ("B", "paper / venue", {"V", "W"}),
        ("P1", "author / paper / author", {"B", "C"}),
        ("P1", "author / paper / author / paper / venue", {"V", "W"}),
        ("P4", "author / paper / author", set()),
        ("A", "paper / reference|cited_by / author", {"D"}),
        ("D", "paper / reference|cited_by / author", {"A", "B"}),
        ("P4", "^reference", {"P1"}),
        ("V", "^venue / ^paper", {"A", "B", "C"}),
    ],
)
def test_a_path_ends_in_a_set_of_nodes(small: tuple[World, Keys], anchor: str, path: str, expected: set[str]) -> None:
    world, keys = small
    assert named(world, gold.reached(world, keys[anchor], path.split(" / "))) == expected


def test_the_anchor_is_passed_by_at_every_step(small: tuple[World, Keys]) -> None:
    world, keys = small
    assert named(world, gold.reached(world, keys["A"], ["paper", "author", "paper"])) == {"P1", "P2"}
    assert named(world, gold.reached(world, keys["P1"], ["author", "paper"])) == {"P2"}
    assert named(world, gold.reached(world, keys["P4"], ["author", "paper", "venue"])) == set()


def test_others_than_the_authors_themselves_are_asked_for(small: tuple[World, Keys]) -> None:
    world, keys = small
    path = ["author", "paper", "author"]
    assert named(world, gold.reached(world, keys["P1"], path, others=1)) == {"C"}
    assert named(world, gold.reached(world, keys["P2"], path, others=1)) == {"A"}


def test_what_joins_two_nodes_stands_in_the_middle(small: tuple[World, Keys]) -> None:
    world, keys = small
    authors = gold.joined(world, keys["V"], keys["W"], ["paper", "author", "paper", "venue"], "author")
    assert (named(world, authors.between), authors.paths, authors.is_plain) == ({"B", "C"}, 2, True)
    works = gold.joined(world, keys["A"], keys["D"], ["paper", "reference|cited_by", "author"], "paper")
    assert (named(world, works.between), works.paths) == ({"P1", "P4"}, 1)
    none = gold.joined(world, keys["C"], keys["D"], ["paper", "reference|cited_by", "author"], "paper")
    assert (none.between, none.paths, none.is_plain) == (frozenset(), 0, True)


def test_a_work_written_together_joins_no_simple_path_and_is_told(small: tuple[World, Keys]) -> None:
    """A and B have P1 in venue V, and nothing else there: out over P1 and back over it is a walk alone."""
    world, keys = small
    found = gold.joined(world, keys["A"], keys["B"], ["paper", "venue", "paper", "author"], "venue")
    assert (found.between, found.paths, named(world, found.also)) == (frozenset(), 0, {"V"})
    assert not found.is_plain


def test_the_shortest_paths_are_counted_by_length(small: tuple[World, Keys]) -> None:
    world, keys = small
    assert gold.shortest(world.near, keys["A"], keys["C"], k=10, hops=4) == {4: 2}
    assert gold.shortest(world.near, keys["A"], keys["C"], k=1, hops=4) == {4: 1}
    assert gold.shortest(world.near, keys["A"], keys["B"], k=10, hops=3) == {2: 1}
    assert gold.shortest(world.near, keys["A"], keys["C"], k=10, hops=3) == {}


def test_paths_of_equal_length_count_alike_and_a_missing_one_is_missed(small: tuple[World, Keys]) -> None:
    world, keys = small
    a, c = keys["A"], keys["C"]
    by_venue = ["A", "P1", "V", "P3", "C"]
    near: dict[str, list[str]] = {}
    for one, other in pairwise(by_venue):
        near.setdefault(keys[one], []).append(keys[other])
        near.setdefault(keys[other], []).append(keys[one])
    assert gold.covered({4: 2}, near, a, c) == 0.5
    assert gold.covered({4: 1}, near, a, c) == 1.0
    assert gold.covered({2: 1, 4: 1}, near, a, c) == 0.5
    assert gold.covered({4: 2}, {}, a, c) == 0.0
    assert gold.covered({4: 2}, world.near, a, c) == 1.0


@pytest.mark.parametrize(
    ("trail", "expected"), [("ab", ""), ("abc", "b"), ("abcd", "bc"), ("abcde", "c"), ("abcdef", "cd"), ("a", "")]
)
def test_the_middle_of_a_path_is_one_node_or_two(trail: str, expected: str) -> None:
    assert list(gold.middle(trail)) == list(expected)


def test_a_step_is_undone_by_its_reverse() -> None:
    assert [gold.back(step) for step in ("a", "^a", "a|^b")] == ["^a", "a", "^a|b"]
    world = graphs.build("academia", 150, 3)
    for step in ("paper", "^author", "reference|cited_by"):
        there = {(node, target) for node in world.nodes for target in gold.over(world, node, step)}
        assert there == {(target, node) for node in world.nodes for target in gold.over(world, node, gold.back(step))}


# -- oracles ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=graphs.GRAPHS)
def world(request: pytest.FixtureRequest) -> World:
    return graphs.build(request.param, 160, 11)


def undirected(world: World) -> nx.Graph:
    return nx.Graph((source, target) for source, _, target in world.edges)


def test_lengths_are_those_of_networkx(world: World) -> None:
    graph, rng = undirected(world), random.Random(5)
    pairs = [rng.sample(sorted(graph), 2) for _ in range(40)]
    for one, other in pairs:
        if not nx.has_path(graph, one, other):
            continue
        lengths = [len(path) - 1 for path in islice(nx.shortest_simple_paths(graph, one, other), 10)]
        expected = Counter(length for length in lengths if length <= 4)
        assert gold.shortest(world.near, one, other, k=10, hops=4) == expected


def test_distances_are_those_of_networkx(world: World) -> None:
    graph = undirected(world)
    for start in sorted(graph)[::20]:
        assert gold.distances(world.near, start, 3) == nx.single_source_shortest_path_length(graph, start, cutoff=3)


def walks(world: World, start: str, path: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every walk over a path, by brute force over the list of edges."""
    trails = [(start,)]
    for step in path:
        longer = []
        for relation in step.split("|"):
            pairs = [(s, t) for s, r, t in world.edges if r == relation.removeprefix("^")]
            ends = [(t, s) for s, t in pairs] if relation.startswith("^") else pairs
            longer += [(*trail, there) for trail in trails for here, there in ends if here == trail[-1]]
        trails = longer
    yield from trails


_PATHS = {
    "academia": ("author", "paper / reference|cited_by / author", "paper"),
    "literature": ("publisher", "book / author / book / publisher", "author"),
    "e-commerce": ("brand", "item / also_bought_item / ^also_bought_item / brand", "item"),
}


def test_layers_and_joined_pairs_are_those_of_brute_force(world: World) -> None:
    kind, text, wanted = _PATHS[world.graph]
    path, nodes = text.split(" / "), world.of_kind(kind)
    rng = random.Random(2)
    joined_pairs = 0
    for one in rng.sample(nodes, min(6, len(nodes))):
        trails = list(walks(world, one, path))
        free = {trail[-1] for trail in trails if one not in trail[1:]}
        assert gold.reached(world, one, path) == free
        for other in rng.sample(nodes, min(12, len(nodes))):
            if other == one:
                continue
            simple = {trail for trail in trails if trail[-1] == other and len(set(trail)) == len(trail)}
            between = {node for trail in simple for node in gold.middle(trail) if world.nodes[node].kind == wanted}
            found = gold.joined(world, one, other, path, wanted)
            assert (found.between, found.paths) == (between, len(simple))
            joined_pairs += bool(simple)
    assert joined_pairs > 0
