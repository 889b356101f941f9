"""The schema graph: from each kind of node, which steps lead on, to what, and how usual that is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from mosaic_sql import pattern
from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.records import Catalogue

OVERLAP = 0.25
"""Share of a kind's nodes from which an end of a relation is taken to be of that kind."""
_RARE, _MOST_RARE = 0.3, 1.5
_LOOPED = 0.1
"""Share of a relation's edges between two nodes of one kind from which it is one between such."""
_TELLING = frozenset(
    ("is a", "isa", "type", "has type", "is of type", "kind", "has kind", "instance of", "is instance of", "p31")
)
"""Relations that tell the kind of a node, as sql/ingest/graph_kinds.sql has them."""
_COUNTRY = "country"
"""The word family of what places lie in."""
_ALIKE = 8
"""Relations between the same kinds with equally many edges beyond which none is another's inverse."""


class Step(NamedTuple):
    """One relation of the schema, read in a direction, and the kind it leads to.

    `inverse` is the relation that holds the same edges turned round, where that is stored too.
    """

    relation: str
    forward: bool
    kind: str
    inverse: str = ""

    def undoes(self, last: Step) -> bool:
        """Whether it goes back over the edges of the last step."""
        if self.relation == last.relation and not self.inverse:
            return self.forward != last.forward
        return bool(self.inverse) and (self.inverse, self.relation) == (last.relation, last.inverse)

    def turned(self, kind: str) -> Step:
        """The step back to `kind`: along the inverse relation where that is stored, else against the edge."""
        if self.inverse:
            return Step(self.inverse, True, kind, self.relation)
        return Step(self.relation, not self.forward, kind)


@dataclass(frozen=True)
class SchemaGraph:
    """Kinds and steps between them.

    `steps` maps a kind to its steps, each with a cost in [0, 1.5] that grows as the share of the relation's edges that
    are meant falls, `by_relation` the same by relation, and `given` those that lead to no `vague` kind; `roles` maps a
    kind to what its nodes are in word families: (family, whether the one end); `inferred` are the kinds that nobody
    gave. Where a relation's edges are stored turned round as well, they are not stepped against; `turning` are the
    steps of such.
    `looped` are relations that join two nodes of one kind, not only where a film bears a director's name; `mutual`
    those of them that hold both ways, though an edge is stored one way; `vague` are kinds that no step leads to where
    no word speaks for it: those inferred, and none at all where other nodes have one.
    """

    steps: dict[str, tuple[tuple[Step, float], ...]] = field(default_factory=dict)
    by_relation: dict[str, dict[str, tuple[tuple[Step, float], ...]]] = field(default_factory=dict)
    roles: dict[str, frozenset[tuple[str, bool]]] = field(default_factory=dict)
    given: dict[str, tuple[tuple[Step, float], ...]] = field(default_factory=dict)
    inferred: frozenset[str] = frozenset()
    turning: dict[str, tuple[tuple[Step, float], ...]] = field(default_factory=dict)
    looped: frozenset[str] = frozenset()
    mutual: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()

    def written(self, path: Iterable[Step]) -> str:
        """A path as a pattern."""
        steps = [(step.relation, None if step.relation in self.mutual else step.forward) for step in path]
        return pattern.format_path(steps)


def inferred_kinds(catalogue: Catalogue) -> frozenset[str]:
    """Kinds that were inferred from relations' ends: `director`, and `has director` for what has one.

    Where a relation such as `is_a` tells the kinds of some nodes, it is the others whose kinds were inferred.
    """
    kinds = {kind for source, _, target, _ in catalogue.schema_paths for kind in (source, target)}
    relations = {relation for _, relation, _, _ in catalogue.schema_paths}
    telling = {one for one in relations if is_telling_kind(one) and f"has {one}" not in kinds}
    told = {source for source, relation, _, _ in catalogue.schema_paths if relation in telling}
    if not telling:
        relations = {relation for relation in relations if f"has {relation}" in kinds}
    return frozenset(kinds & (relations | {f"has {relation}" for relation in relations}) - told)


def given_kinds(catalogue: Catalogue) -> frozenset[str]:
    """Kinds that the graph was given, or told by a relation such as `is_a`."""
    return frozenset(catalogue.kinds) - inferred_kinds(catalogue)


def numbers(catalogue: Catalogue) -> frozenset[str]:
    """The relations that lead to numbers and dates alone."""
    types: dict[str, set[str]] = {}
    for one in catalogue.properties:
        if one.owner == "relation":
            types.setdefault(one.name, set()).add(one.type)
    return frozenset(name for name, told in types.items() if told <= {"number", "date"})


def types_of_relations(catalogue: Catalogue) -> dict[str, str]:
    """The type of what each relation leads to that is read as a property; a number or a date before another."""
    own = [one for one in catalogue.properties if one.owner == "relation"]
    return {one.name: one.type for one in sorted(own, key=lambda one: one.type in ("number", "date"))}


def each_way(catalogue: Catalogue) -> Iterator[tuple[str, bool, str, str]]:
    """(relation, forward, start, end) of every relation between two kinds: along its edges, and against them."""
    for source, relation, target, _ in catalogue.schema_paths:
        yield relation, True, source, target
        yield relation, False, target, source


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
    inverse = _inverses(paths, inferred)
    shares: dict[tuple[str, Step], float] = {}
    for source, relation, target, count in paths:
        total = max(1, own.get(relation, count))
        if target not in inferred or target == relation:
            _add(
                shares, source, Step(relation, True, target, inverse.get((source, relation, target), "")), count / total
            )
        if (source not in inferred or source == f"has {relation}") and (source, relation, target) not in inverse:
            _add(shares, target, Step(relation, False, source), count / total)
    steps: dict[str, list[tuple[Step, float]]] = {}
    usual = sorted(shares.items(), key=lambda item: (item[0][0], -own.get(item[0][1].relation, 0), item[0][1]))
    for (kind, step), share in usual:
        steps.setdefault(kind, []).append((step, _cost(share)))
    kinds = sorted({kind for source, _, target, _ in paths for kind in (source, target)})
    vague = inferred | ({""} if {*kinds} - inferred - {""} else set())
    looped = {r for source, r, target, n in paths if source == target and n >= _LOOPED * max(1, own.get(r, n))}
    return SchemaGraph(
        {kind: tuple(found) for kind, found in steps.items()},
        {kind: _by_relation(found) for kind, found in steps.items()},
        {kind: _roles(kind, kind in inferred, catalogue, own) for kind in kinds},
        {kind: _usual([one for one in found if one[0].kind not in vague], own) for kind, found in steps.items()},
        inferred,
        {kind: tuple(each for each in found if each[0].inverse) for kind, found in steps.items()},
        frozenset(looped),
        frozenset(r for source, r, target, _ in paths if _is_mutual(source, r, target, looped, inferred)),
        vague,
    )


def _is_mutual(source: str, relation: str, target: str, looped: Collection[str], inferred: Collection[str]) -> bool:
    """Whether a relation between two kinds holds both ways; for people its name tells, where kinds are inferred."""
    families = lexicon.lexicon().families
    people = any(
        families[family].mutual and families[family].asks == "who" for family in lexicon.families_of([relation])
    )
    among = relation in looped or (people and source == f"has {relation}" and target == relation and target in inferred)
    return among and lexicon.is_mutual(relation)


def _inverses(paths: Iterable[tuple[str, str, str, int]], inferred: frozenset[str]) -> dict[tuple[str, str, str], str]:
    """(source, relation, target) -> the relation that holds the same edges turned round, as counts and names say.

    Counts alone may be alike by chance: each must be called by what it leads to, or both by one thing's two ends.
    """
    by_ends: dict[tuple[str, str, int], list[str]] = {}
    for source, relation, target, count in paths:
        if not inferred & {source, target}:
            by_ends.setdefault((source, target, count), []).append(relation)
    found: dict[tuple[str, str, str], str] = {}
    for (source, target, count), relations in by_ends.items():
        turned = by_ends.get((target, source, count), ())
        if max(len(relations), len(turned)) > _ALIKE:
            continue
        for relation in relations:
            others = [one for one in turned if one != relation and _opposed((relation, target), (one, source))]
            if len(others) == 1:
                found[source, relation, target] = others[0]
    return {path: other for path, other in found.items() if found.get((path[2], other, path[0])) == path[1]}


def _opposed(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two (relation, target) are each other's inverse by name."""
    if is_called_by_target(*one) and is_called_by_target(*other):
        return True
    mine, others = lexicon.label(one[0]).families, lexicon.label(other[0]).families
    return any(family in others and others[family] != end for family, end in mine.items())


def is_called_by_target(relation: str, target: str) -> bool:
    """Whether a relation has the name of the kind that it leads to."""
    name, kind = lexicon.parts(relation), lexicon.parts(target)
    return bool(name and kind) and lexicon.is_noun(name[-1], kind[-1])


def is_half_said(step: Step, kind: str, said: Collection[str], path: Iterable[Step]) -> bool:
    """Whether of a relation from `kind` and its inverse only the one with the name of its target is `said`.

    Where the other has a name of its own, and a step of the path so far is said both ways, that is no step which the
    word means: what A *wrote* is a book of A, and the books of a publisher are not what it wrote.
    """
    ends = {step.relation: step.kind, step.inverse: kind}
    spoken = [relation for relation in ends if relation in said]
    if not step.inverse or len(spoken) != 1 or not any({one.relation, one.inverse} <= set(said) for one in path):
        return False
    (other,) = set(ends) - set(spoken)
    return is_called_by_target(spoken[0], ends[spoken[0]]) and bool(lexicon.label(other).named)


def is_within(step: Step) -> bool:
    """Whether a step leads to the place that something is in: located in, country."""
    families = lexicon.lexicon().families
    return step.forward and any(
        families[f].asks == "where" and one for f, one in lexicon.label(step.relation).families.items()
    )


def is_into(step: Step) -> bool:
    """Whether a step leads from a country to the places that lie in it: over country, located in or city in."""
    return not step.forward and lexicon.label(step.relation).families.get(_COUNTRY, False)


def _by_relation(steps: Iterable[tuple[Step, float]]) -> dict[str, tuple[tuple[Step, float], ...]]:
    found: dict[str, list[tuple[Step, float]]] = {}
    for each in steps:
        found.setdefault(each[0].relation, []).append(each)
    return {relation: tuple(own) for relation, own in found.items()}


def _usual(found: Sequence[tuple[Step, float]], own: Mapping[str, int]) -> tuple[tuple[Step, float], ...]:
    """Steps of one kind, the less usual the fewer of the edges to where they lead are theirs: country, not capital."""
    edges: dict[str, int] = {}
    for step, _ in found:
        edges[step.kind] = edges.get(step.kind, 0) + own.get(step.relation, 1)
    return tuple((step, cost + _cost(own.get(step.relation, 1) / edges[step.kind])) for step, cost in found)


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
    roles = frozenset(role for end in ends for role in roles_of(*end))
    return roles if inferred else roles - _borrowed(kind, catalogue, roles)


def _borrowed(kind: str, catalogue: Catalogue, roles: frozenset[tuple[str, bool]]) -> frozenset[tuple[str, bool]]:
    """What nodes of a kind are not, though a relation that has the name of its target alone says so.

    Who leads to a *book* may have written or published it; a publisher is told by its own name, a book that leads to
    similar books is neither.
    """
    own = set(lexicon.label(kind).families.items())
    found: set[tuple[str, bool]] = set()
    for source, relation, target, _ in catalogue.schema_paths:
        if source == kind and is_called_by_target(relation, target) and (own & roles or source == target):
            found |= {role for role in roles_of(relation, False) if role[1]}
    return frozenset(found) - own


def roles_of(relation: str, as_target: bool) -> Iterable[tuple[str, bool]]:
    """What a node at one end of a relation is, in word families."""
    read = lexicon.label(relation)
    return [(family, as_target == one) for family, one in read.families.items() if family in read.named]


def everyday(kind: str, catalogue: Catalogue) -> frozenset[str]:
    """Everyday words for what a kind is called; of a narrow one none that says more of the graph than that.

    Novels are no answer to what books there are where memoirs have authors too.
    """
    found = words.kind_words(kind)
    if not words.is_narrow(kind):
        return found
    return frozenset(word for word in found if word == kind.lower() or not _is_wider(word, kind, catalogue))


def _is_wider(word: str, kind: str, catalogue: Catalogue) -> bool:
    """Whether a word stands for nodes of other kinds as well, by a relation that what it is said of has."""
    families = {entry.family for entry in lexicon.entries_at([word], 0) if entry.role == "other"}
    given = given_kinds(catalogue)
    return any(
        source != kind and source in given and families & lexicon.label(relation).families.keys()
        for source, relation, _, _ in catalogue.schema_paths
        if not is_telling_kind(relation)
    )


def is_telling_kind(relation: str) -> bool:
    """Whether a relation tells the kind of a node: is a, instance of."""
    return " ".join(lexicon.parts(relation)) in _TELLING


def is_schema_word(word: str, catalogue: Catalogue) -> bool:
    """Whether a word is (part of) the name of a relation or a kind."""
    stem = words.stem(word)
    names = (*(relation for _, relation in catalogue.relations), *catalogue.kinds)
    return any(words.alike(stem, other) for name in names for other in _stems_of(name))


def _stems_of(name: str) -> frozenset[str]:
    return frozenset(words.stems(name.replace("_", " ").replace("-", " ")))
