"""Path patterns and walks again, over networkx and plain sets: nothing shared with parser, automaton or SQL."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
from random_store import KINDS, RELATIONS, Store

Step = tuple[int, int, str, bool]  # edge, node reached, relation, forward
Path = tuple[tuple[int, ...], tuple[int, ...]]  # nodes, edges


@dataclass(frozen=True)
class Part:
    """A pattern as a tree: `op` is step, seq, alt or rep; it can be written, matched and applied to sets of nodes."""

    op: str
    relation: str | None = None
    forward: bool | None = None
    kind: str | None = None
    parts: tuple[Part, ...] = ()
    least: int = 1
    most: int = 1

    def text(self) -> str:
        if self.op == "step":
            name = "any" if self.relation is None else f"'{self.relation}'"
            sign = {True: "", False: "^", None: "~"}[self.forward]
            return sign + name + (f"[{self.kind}]" if self.kind else "")
        if self.op == "rep":
            return f"({self.parts[0].text()}){{{self.least},{self.most}}}"
        return "(" + (" / " if self.op == "seq" else " | ").join(part.text() for part in self.parts) + ")"

    def takes(self, step: Step, kinds: dict[int, list[str]]) -> bool:
        _, node, relation, forward = step
        return (
            self.relation in (None, relation)
            and self.forward in (None, forward)
            and (self.kind is None or self.kind in kinds[node])
        )

    def ends(self, path: Sequence[Step], start: int, kinds: dict[int, list[str]]) -> set[int]:
        """The places where a match that begins at `start` may end."""
        if self.op == "step":
            return {start + 1} if start < len(path) and self.takes(path[start], kinds) else set()
        if self.op == "alt":
            return set().union(*(part.ends(path, start, kinds) for part in self.parts))
        if self.op == "seq":
            at = {start}
            for part in self.parts:
                at = set().union(*(part.ends(path, place, kinds) for place in at))
            return at
        at, found = {start}, {start} if self.least == 0 else set()
        for count in range(1, self.most + 1):
            at = set().union(*(self.parts[0].ends(path, place, kinds) for place in at))
            found |= at if count >= self.least else set()
        return found

    def image(self, graph: Graph, nodes: set[int], barred: set[int]) -> set[int]:
        """The nodes that a match leads to from any of `nodes`, none of `barred` ever reached."""
        if self.op == "step":
            return {
                step[1]
                for node in nodes
                for step in graph.steps(node, loops_both_ways=True)
                if step[1] not in barred and self.takes(step, graph.kinds)
            }
        if self.op == "alt":
            return set().union(*(part.image(graph, nodes, barred) for part in self.parts))
        if self.op == "seq":
            for part in self.parts:
                nodes = part.image(graph, nodes, barred)
            return nodes
        found = set(nodes) if self.least == 0 else set()
        for count in range(1, self.most + 1):
            nodes = self.parts[0].image(graph, nodes, barred)
            found |= nodes if count >= self.least else set()
        return found


def random_part(rng: random.Random, depth: int = 2) -> Part:
    if depth == 0 or rng.random() < 0.3:
        relation = rng.choice((None, None, *RELATIONS))
        kind = rng.choice(KINDS) if rng.random() < 0.25 else None
        return Part("step", relation, rng.choice((True, False, None, None)), kind)
    op = rng.choice(("seq", "seq", "alt", "rep"))
    if op == "rep":
        least = rng.randint(0, 1)
        return Part("rep", parts=(random_part(rng, 0),), least=least, most=rng.randint(max(1, least), 3))
    return Part(op, parts=tuple(random_part(rng, depth - 1) for _ in range(2)))


class Graph:
    """The store's graph, with the steps out of every node in order of their edges."""

    def __init__(self, store: Store) -> None:
        self.kinds = store.kinds
        self.nodes = store.nodes
        self.specificity = dict(store.rows("SELECT node_id, specificity FROM node"))
        self._steps: dict[int, list[Step]] = {node: [] for node in store.nodes}
        for edge, source, relation, target in sorted(store.edges):
            self._steps[source].append((edge, target, RELATIONS[relation], True))
            if source != target:
                self._steps[target].append((edge, source, RELATIONS[relation], False))

    def steps(self, node: int, *, loops_both_ways: bool = False) -> Iterator[Step]:
        for edge, other, relation, forward in self._steps[node]:
            yield edge, other, relation, forward
            if loops_both_ways and other == node:
                yield edge, other, relation, not forward

    def network(self, steps: set[tuple[int, int, int]] | None = None) -> nx.MultiDiGraph:
        """Every step as an edge of its own direction; only `steps` (from, to, edge) where given."""
        network = nx.MultiDiGraph()
        network.add_nodes_from(self.nodes)
        for node in self.nodes:
            for edge, other, relation, forward in self._steps[node]:
                if other != node and (steps is None or (node, other, edge) in steps):
                    network.add_edge(node, other, key=edge, relation=relation, forward=forward)
        return network

    def simple_paths(
        self, starts: set[int], goals: set[int], hops: int, steps: set[tuple[int, int, int]] | None = None
    ) -> Iterator[tuple[list[int], list[int], list[Step]]]:
        """Simple paths from any start to any goal, of one step to `hops`, that pass no end on their way."""
        network = self.network(steps)
        for start in starts:
            for goal in goals - {start}:
                inner = network.subgraph({*self.nodes} - (starts | goals) | {start, goal})
                for path in nx.all_simple_edge_paths(inner, start, goal, cutoff=hops):
                    taken = [
                        (edge, other, inner[node][other][edge]["relation"], inner[node][other][edge]["forward"])
                        for node, other, edge in path
                    ]
                    yield [start, *(step[1] for step in taken)], [step[0] for step in taken], taken

    def distinct(self, paths: Iterable[tuple[list[int], list[int], list[Step]]]) -> set[Path]:
        """One path for each sequence of nodes: the fewest steps against an edge, then the lowest edges."""
        best: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
        for nodes, edges, steps in paths:
            key, told = tuple(nodes), (sum(not step[3] for step in steps), tuple(edges))
            best[key] = min(best.get(key, told), told)
        return {(nodes, edges) for nodes, (_, edges) in best.items()}

    def order(self, path: tuple[list[int], list[int]]) -> tuple[Any, ...]:
        """By length, less common nodes first, then by ids."""
        nodes, edges = path
        share = sum(self.specificity[node] for node in nodes) / len(nodes) / 65536
        return len(edges), -int(share * 1e6 + 0.5), nodes, edges


def looked_at(
    graph: Graph, starts: set[int], goals: set[int], hops: int, *, fan_out: int, direction: str = "either"
) -> tuple[set[tuple[int, int, int]], set[int]]:
    """Steps (from, to, edge) that a search from both ends takes, smaller level first; nodes it cut at `fan_out`."""
    seen: list[dict[int, int]] = [dict.fromkeys(starts, 0), dict.fromkeys(goals, 0)]
    depth = [0, 0]
    steps: set[tuple[int, int, int]] = set()
    capped: set[int] = set()
    while sum(depth) < hops and starts and goals:
        levels = [[node for node, at in seen[side].items() if at == depth[side]] for side in (0, 1)]
        side = 0 if len(levels[0]) <= len(levels[1]) else 1
        wanted = {"either": (True, False), "forward": (side == 0,), "backward": (side == 1,)}[direction]
        fresh = set()
        for node in levels[side]:
            out = [step for step in graph.steps(node) if step[1] != node and step[3] in wanted]
            capped |= {node} if len(out) > fan_out else set()
            for edge, other, _, _ in out[:fan_out]:
                steps.add((node, other, edge) if side == 0 else (other, node, edge))
                fresh |= {other} - set(seen[side])
        if not fresh:
            break
        depth[side] += 1
        seen[side].update(dict.fromkeys(fresh, depth[side]))
    return steps, capped
