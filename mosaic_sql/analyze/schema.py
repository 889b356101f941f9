"""The schema graph: from each kind of node, which steps lead on, to what, and how usual that is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from mosaic_sql.analyze import lexicon
from mosaic_sql.records import Catalogue

OVERLAP = 0.25
"""Share of a kind's nodes from which an end of a relation is taken to be of that kind."""
_RARE, _MOST_RARE = 0.3, 1.5


class Step(NamedTuple):
    """One relation of the schema, read in a direction, and the kind it leads to."""

    relation: str
    forward: bool
    kind: str


@dataclass(frozen=True)
class SchemaGraph:
    """Kinds and steps between them.

    `steps` maps a kind to its steps, each with a cost in [0, 1.5] that grows as the share of the relation's edges that
    are meant falls, `by_relation` the same by relation, and `given` those that lead to a kind that was not `inferred`;
    `roles` maps a kind to what its nodes are in word families: (family, whether the one end). `inverse` maps a relation
    to the one that holds the same edges turned round, where both are stored; neither is stepped against then.
    """

    steps: dict[str, tuple[tuple[Step, float], ...]] = field(default_factory=dict)
    by_relation: dict[str, dict[str, tuple[tuple[Step, float], ...]]] = field(default_factory=dict)
    roles: dict[str, frozenset[tuple[str, bool]]] = field(default_factory=dict)
    given: dict[str, tuple[tuple[Step, float], ...]] = field(default_factory=dict)
    inferred: frozenset[str] = frozenset()
    inverse: dict[str, str] = field(default_factory=dict)

    def turned(self, step: Step, kind: str) -> Step:
        """The step that leads back to `kind`: along the inverse relation where that is stored, else against the edge."""
        stored = self.inverse.get(step.relation) if step.forward else None
        return Step(stored, True, kind) if stored else Step(step.relation, not step.forward, kind)

    def undoes(self, step: Step, last: Step) -> bool:
        """Whether a step goes back over the edges of the last one."""
        if step.relation == last.relation:
            return step.forward != last.forward
        return step.forward == last.forward and self.inverse.get(step.relation) == last.relation


def inferred_kinds(catalogue: Catalogue) -> frozenset[str]:
    """Kinds that were inferred from relations' ends: `director`, and `has director` for what has one."""
    kinds = {kind for source, _, target, _ in catalogue.schema_paths for kind in (source, target)}
    relations = {relation for _, relation, _, _ in catalogue.schema_paths if f"has {relation}" in kinds}
    return frozenset(kinds & (relations | {f"has {relation}" for relation in relations}))


@lru_cache(maxsize=8)
def schema_graph(catalogue: Catalogue) -> SchemaGraph:
    """The schema of a corpus.

    Where kinds were inferred, a node has one for each relation it has, and only those of the step itself are looked at.
    """
    paths = catalogue.schema_paths
    inferred = inferred_kinds(catalogue)
    own: dict[str, int] = {}  # edges of a relation, each once
    for source, relation, target, count in paths:
        if (source not in inferred or source == f"has {relation}") and (target not in inferred or target == relation):
            own[relation] = own.get(relation, 0) + count
    inverse = _inverses(paths)
    shares: dict[tuple[str, Step], float] = {}
    for source, relation, target, count in paths:
        total = max(1, own.get(relation, count))
        if target not in inferred or target == relation:
            _add(shares, source, Step(relation, True, target), count / total)
        if (source not in inferred or source == f"has {relation}") and relation not in inverse:
            _add(shares, target, Step(relation, False, source), count / total)
    steps: dict[str, list[tuple[Step, float]]] = {}
    usual = sorted(shares.items(), key=lambda item: (item[0][0], -own.get(item[0][1].relation, 0), item[0][1]))
    for (kind, step), share in usual:
        steps.setdefault(kind, []).append((step, _cost(share)))
    kinds = sorted({kind for source, _, target, _ in paths for kind in (source, target)})
    return SchemaGraph(
        {kind: tuple(found) for kind, found in steps.items()},
        {kind: _by_relation(found) for kind, found in steps.items()},
        {kind: _roles(kind, kind in inferred, catalogue, own) for kind in kinds},
        {kind: tuple(each for each in found if each[0].kind not in inferred) for kind, found in steps.items()},
        inferred,
        inverse,
    )


def _inverses(paths: Iterable[tuple[str, str, str, int]]) -> dict[str, str]:
    """Relations that hold the same edges turned round, as their counts and their names say.

    Counts alone may be alike by chance: each must be called by what it leads to, or both by one thing's two ends.
    """
    ends: dict[str, list[tuple[str, str, int]]] = {}
    for source, relation, target, count in paths:
        ends.setdefault(relation, []).append((source, target, count))
    by_ends: dict[tuple[tuple[str, str, int], ...], list[str]] = {}
    for relation, own in ends.items():
        by_ends.setdefault(tuple(sorted(own)), []).append(relation)
    found: dict[str, str] = {}
    for relation, own in ends.items():
        turned = tuple(sorted((target, source, count) for source, target, count in own))
        others = [one for one in by_ends.get(turned, ()) if one != relation and _opposed(relation, one, ends)]
        if len(others) == 1:
            found[relation] = others[0]
    return {one: other for one, other in found.items() if found.get(other) == one}


def _opposed(one: str, other: str, ends: dict[str, list[tuple[str, str, int]]]) -> bool:
    if all(_called_by_target(relation, ends[relation]) for relation in (one, other)):
        return True
    mine, others = lexicon.label(one).families, lexicon.label(other).families
    return any(family in others and others[family] != end for family, end in mine.items())


def _called_by_target(relation: str, ends: Iterable[tuple[str, str, int]]) -> bool:
    """Whether a relation has the name of the kind that it leads to."""
    name = lexicon.parts(relation)
    kinds = [lexicon.parts(target) for _, target, _ in ends]
    return bool(name) and all(kind and lexicon.is_noun(name[-1], kind[-1]) for kind in kinds)


def _by_relation(steps: Iterable[tuple[Step, float]]) -> dict[str, tuple[tuple[Step, float], ...]]:
    found: dict[str, list[tuple[Step, float]]] = {}
    for each in steps:
        found.setdefault(each[0].relation, []).append(each)
    return {relation: tuple(own) for relation, own in found.items()}


def _add(shares: dict[tuple[str, Step], float], kind: str, step: Step, share: float) -> None:
    shares[kind, step] = shares.get((kind, step), 0.0) + share


def _cost(share: float) -> float:
    return min(_MOST_RARE, _RARE * -math.log10(min(1.0, max(share, 1e-9))))


def _roles(kind: str, inferred: bool, catalogue: Catalogue, own: dict[str, int]) -> frozenset[tuple[str, bool]]:
    """What nodes of a kind are: the ends of relations that enough of them have."""
    ends: set[tuple[str, bool]] = set()  # (relation, as its target)
    has = inferred and kind.startswith("has ")
    reference = kind[4:] if has else kind
    for source, relation, target, count in catalogue.schema_paths:
        if not inferred:
            ends |= {(relation, False)} if source == kind else set()
            ends |= {(relation, True)} if target == kind else set()
        elif relation == reference and count / max(1, own.get(relation, 1)) >= OVERLAP:
            other, aligned = (source, target == relation) if has else (target, source == f"has {relation}")
            if aligned:
                ends.add((other[4:], False) if other.startswith("has ") else (other, True))
    return frozenset(role for end in ends for role in roles_of(*end))


def roles_of(relation: str, as_target: bool) -> Iterable[tuple[str, bool]]:
    """What a node at one end of a relation is, in word families."""
    read = lexicon.label(relation)
    return [(family, as_target == one) for family, one in read.families.items() if family in read.named]
