"""The kind tests of a pattern: a question names the kind of a node, and a step leads to others as well."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mosaic_sql import pattern
from mosaic_sql.analyze.nouns import WORKS, is_called, kind_nouns
from mosaic_sql.analyze.schema import SchemaGraph, Step
from mosaic_sql.analyze.wording import Wording


@dataclass(frozen=True)
class Walk:
    """A path from nodes of some kinds, and for each step the mention that speaks for it, below 0 for none.

    `is_ended` tells that it ends in a second anchor, and not in what is asked for.
    """

    path: Sequence[Step]
    by: Sequence[int]
    start: Collection[str]
    is_ended: bool = False


def written(walk: Walk, read: Wording, schema: SchemaGraph) -> str:
    """A path as a pattern, held to the kinds that words name its nodes by where a step leads to other kinds too."""
    kinds, parts = set(walk.start), list[str]()
    for place, (step, wanted) in enumerate(zip(walk.path, _named(walk, read), strict=True)):
        said, found = schema.written([step]), _reached(kinds, step, schema)
        reached = found - schema.inferred
        if place + 1 == len(walk.path) and not walk.is_ended:
            wanted = wanted or _somebody(read, reached)
        kept = reached & wanted
        if kept and found - wanted:
            tested = [f"{said}[{pattern.quoted(kind)}]" for kind in sorted(kept)]
            said = tested[0] if len(tested) == 1 else f"({' | '.join(tested)})"
            reached = kept
        parts.append(said)
        kinds = reached
    return " / ".join(parts)


def _named(walk: Walk, read: Wording) -> list[frozenset[str]]:
    """For each node of a path the kinds that words name it by; empty for none.

    The noun for what is asked for names the last one, another the one that it led to, else the only one of its kind.
    """
    found = [frozenset[str]()] * len(walk.path)
    for number, mention in enumerate(read.mentions):
        places = [place for place, step in enumerate(walk.path) if step.kind in mention.kinds]
        own = [place for place in places if walk.by[place] == number]
        if number == read.focus and not walk.is_ended:
            places = [place for place in places if place + 1 == len(walk.path)]
        elif own:
            places = own[:1]
        if len(places) == 1 and not mention.beside:
            found[places[0]] = mention.kinds
    return found


def _somebody(read: Wording, kinds: Collection[str]) -> frozenset[str]:
    """Those of some kinds that who may be, where people are among them and works too; else empty."""
    if read.asks != "who" or read.focus is not None:
        return frozenset()
    works = {kind for kind in kinds if is_called(kind, WORKS)}
    people = any(is_called(kind, kind_nouns("who")) for kind in kinds)
    return frozenset(set(kinds) - works) if people and works else frozenset()


def _reached(kinds: Collection[str], step: Step, schema: SchemaGraph) -> set[str]:
    """The kinds of the nodes that a step leads to; those of nodes without a given one are none, or inferred."""
    either = step.relation in schema.mutual
    return {
        other.kind
        for kind in kinds
        for other, _ in schema.by_relation.get(kind, {}).get(step.relation, ())
        if either or other.forward == step.forward
    }
