"""A generated graph: nodes, edges, and the indexes over them that gold is computed with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic, TypeVar

import pyarrow as pa

from mosaic_sql.errors import PolicyError

LEAST_SIZE = 100
"""Nodes below which a schema has no room for its kinds."""
_TRIES = 40

Item = TypeVar("Item")


@dataclass(frozen=True)
class Node:
    """One node; `key` is its identity, its name need not be its own alone."""

    key: str
    name: str
    kind: str
    properties: Mapping[str, Any]


@dataclass
class World:
    """A graph of one of the schemas.

    `edges` are (source, relation, target), each once; `out` and `back` lead from a node over a relation to its targets
    and sources; `near` are the neighbours of a node over any relation, either way, itself left out.
    """

    graph: str
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], None] = field(default_factory=dict)
    out: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    back: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    near: dict[str, dict[str, None]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, name: str, **properties: Any) -> str:
        """A new node; its key."""
        key = f"{kind}:{len(self.nodes)}"
        self.nodes[key] = Node(key, name, kind, properties)
        self.names.setdefault(name, []).append(key)
        return key

    def join(self, source: str, relation: str, target: str, inverse: str | None = None) -> None:
        """An edge and, where the schema stores it so, the edge back; an edge that is there already is not doubled."""
        if source == target:
            return
        self._edge(source, relation, target)
        if inverse is not None:
            self._edge(target, inverse, source)

    def _edge(self, source: str, relation: str, target: str) -> None:
        if (source, relation, target) in self.edges:
            return
        self.edges[source, relation, target] = None
        self.out.setdefault(source, {}).setdefault(relation, []).append(target)
        self.back.setdefault(target, {}).setdefault(relation, []).append(source)
        self.near.setdefault(source, {})[target] = None
        self.near.setdefault(target, {})[source] = None

    def of_kind(self, kind: str) -> list[str]:
        """Keys of the nodes of a kind that have a neighbour, in the order they were made."""
        return [node.key for node in self.nodes.values() if node.kind == kind and node.key in self.near]

    def is_alone(self, key: str) -> bool:
        """Whether no other node of its kind bears its name."""
        node = self.nodes[key]
        return sum(self.nodes[other].kind == node.kind for other in self.names[node.name]) == 1

    def shares_name(self, key: str) -> bool:
        """Whether another node, of whatever kind, bears its name."""
        return len(self.names[self.nodes[key].name]) > 1

    def tables(self) -> tuple[pa.Table, pa.Table]:
        """Nodes (`id`, `name`, `kind`, and a column per property) and edges, as `Corpus.import_graph` reads them."""
        columns = dict.fromkeys(name for node in self.nodes.values() for name in node.properties)
        nodes = {
            "id": list(self.nodes),
            "name": [node.name for node in self.nodes.values()],
            "kind": [node.kind for node in self.nodes.values()],
            **{column: [node.properties.get(column) for node in self.nodes.values()] for column in columns},
        }
        source, relation, target = zip(*self.edges, strict=True)
        edges = {"source": list(source), "relation": list(relation), "target": list(target)}
        return pa.table(nodes), pa.table(edges)


class Skewed(Generic[Item]):
    """Draws from a list by a power law: some are drawn often, most seldom."""

    def __init__(self, items: Sequence[Item], rng: random.Random, exponent: float = 0.8) -> None:
        self.items = rng.sample(items, len(items))
        self._weights = list(accumulate((place + 1) ** -exponent for place in range(len(items))))
        self._rng = rng

    def draw(self) -> Item:
        """One item."""
        return self._rng.choices(self.items, cum_weights=self._weights)[0]

    def some(self, count: int) -> list[Item]:
        """At most `count` different items."""
        return list(dict.fromkeys(self.draw() for _ in range(count)))


def distinct(make: Callable[[], str], taken: Iterable[str] | Mapping[str, Any]) -> str:
    """A name that is not taken yet; where the maker has no more to give, it gets a number."""
    name = make()
    for _ in range(_TRIES):
        if name not in taken:
            return name
        name = make()
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def by_topic(items: Sequence[str], topics: int, rng: random.Random) -> list[Skewed[str]]:
    """The items of each topic, each item in one; a topic that got none has all of them."""
    groups: list[list[str]] = [[] for _ in range(topics)]
    for item in items:
        groups[rng.randrange(topics)].append(item)
    return [Skewed(group or items, rng) for group in groups]


def room(size: int) -> int:
    """The size of a graph in nodes, refused where it is too small.

    Raises:
        PolicyError: fewer than LEAST_SIZE nodes.
    """
    if size < LEAST_SIZE:
        raise PolicyError(f"size: {size} nodes hold no graph of these schemas; give at least {LEAST_SIZE}")
    return size
