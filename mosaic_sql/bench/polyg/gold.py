"""What a question's answer is, from the generated edges alone: layers of a path, joined pairs, true shortest paths.

The anchor is passed by at every step of a path, as in MetaQA's gold. Paths between two anchors are simple.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from mosaic_sql.bench.polyg.world import World

Item = TypeVar("Item")
Near = Mapping[str, Iterable[str]]
"""Node -> its neighbours, over any relation, either way: each is a neighbour of its neighbours."""


def over(world: World, node: str, step: str) -> Iterator[str]:
    """Where a step leads from a node; a target is told once per relation that leads there."""
    for relation in step.split("|"):
        index = world.back if relation.startswith("^") else world.out
        yield from index.get(node, {}).get(relation.removeprefix("^"), ())


def back(step: str) -> str:
    """The step that undoes a step."""
    return "|".join(name.removeprefix("^") if name.startswith("^") else f"^{name}" for name in step.split("|"))


def layers(world: World, start: str, path: Sequence[str], *, barred: frozenset[str] = frozenset()) -> list[set[str]]:
    """The nodes that each prefix of a path reaches, the start first; `barred` ones are not passed."""
    found = [{start}]
    for step in path:
        found.append({target for node in found[-1] for target in over(world, node, step)} - barred)
    return found


def reached(world: World, anchor: str, path: Sequence[str], *, others: int | None = None) -> frozenset[str]:
    """The nodes that a path ends in; those of the step `others`, counted from 1, are left out."""
    found = layers(world, anchor, path, barred=frozenset({anchor}))
    return frozenset(found[-1] - (found[others] if others is not None else set()))


@dataclass(frozen=True)
class Joined:
    """Two nodes and the simple paths between them that follow a given path.

    `between` are the nodes of the kind asked for in the middle of one; `paths` how many there are; `also` are those in
    the middle of a walk that is no simple path.
    """

    between: frozenset[str]
    paths: int
    also: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether it makes no difference that paths are simple."""
        return not self.also


def joined(world: World, one: str, other: str, path: Sequence[str], wanted: str) -> Joined:
    """What joins two nodes over a path."""
    ahead = layers(world, one, path)
    behind = layers(world, other, [back(step) for step in reversed(path)])[::-1]
    corridor = [here & there for here, there in zip(ahead, behind, strict=True)]
    between: set[str] = set()
    paths = 0
    stack: list[tuple[str, ...]] = [(one,)] if other in corridor[-1] else []
    while stack:
        trail = stack.pop()
        place = len(trail)
        if place == len(corridor):
            paths += 1
            between.update(middle(trail))
            continue
        ends = set(over(world, trail[-1], path[place - 1])) & corridor[place]
        stack += [
            (*trail, node) for node in sorted(ends) if node not in trail and (node != other or place == len(path))
        ]
    walked = {node for layer in middle(corridor) for node in layer} if other in corridor[-1] else set()
    kept = frozenset(node for node in between if world.nodes[node].kind == wanted)
    return Joined(kept, paths, frozenset(node for node in walked if world.nodes[node].kind == wanted) - kept)


def middle(trail: Sequence[Item]) -> Sequence[Item]:
    """The one node in the middle of a path, or the two where it has an odd number of hops; none of a single hop.

    It is what both ends have in common: the co-author, the venue, the work that cites and the work that is cited.
    """
    return trail[(len(trail) - 1) // 2 : len(trail) // 2 + 1] if len(trail) > 2 else ()


def distances(near: Near, start: str, hops: int) -> dict[str, int]:
    """Hops from a node to all within `hops` of it."""
    found = {start: 0}
    frontier = [start]
    for depth in range(1, hops + 1):
        frontier = [node for node in dict.fromkeys(n for f in frontier for n in near.get(f, ())) if node not in found]
        found.update(dict.fromkeys(frontier, depth))
    return found


def simple_paths(near: Near, one: str, other: str, length: int) -> Iterator[tuple[str, ...]]:
    """Simple paths of exactly `length` hops between two nodes."""
    left = distances(near, other, length)
    stack: list[tuple[str, ...]] = [(one,)]
    while stack:
        trail = stack.pop()
        hops = length - len(trail) + 1
        if trail[-1] == other:
            if hops == 0:
                yield trail
            continue
        stack += [
            (*trail, node)
            for node in near.get(trail[-1], ())
            if node not in trail and left.get(node, length + 1) <= hops - 1
        ]


def shortest(near: Near, one: str, other: str, *, k: int, hops: int) -> dict[int, int]:
    """Length -> how many of the k shortest simple paths of at most `hops` hops have it.

    Of the greatest length any will do, since they are equally short.
    """
    found: dict[int, int] = {}
    for length in range(1, hops + 1):
        left = k - sum(found.values())
        count = sum(1 for _ in islice(simple_paths(near, one, other, length), left)) if left else 0
        if count:
            found[length] = count
    return found


def covered(lengths: Mapping[int, int], near: Near, one: str, other: str) -> float:
    """Share in [0, 1] of the true shortest paths that lie wholly within some hops."""
    have = sum(sum(1 for _ in islice(simple_paths(near, one, other, length), n)) for length, n in lengths.items())
    return have / sum(lengths.values())
