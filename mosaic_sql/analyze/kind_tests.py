"""The kind tests of a pattern: a question names the kind of a node, and a step leads to others as well."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mosaic_sql import pattern
from mosaic_sql.analyze.mentions import Mention
from mosaic_sql.analyze.schema import SchemaGraph, Step


def named(
    mentions: Sequence[Mention], focus: int | None, by: Sequence[int], path: Sequence[Step]
) -> list[frozenset[str]]:
    """For each node of a path the kinds that words name it by; empty for none.

    The noun for what is asked for names the last one, another the one that it led to, else the only one of its kind.
    """
    found = [frozenset[str]()] * len(path)
    for number, mention in enumerate(mentions):
        places = [place for place, step in enumerate(path) if step.kind in mention.kinds]
        own = [place for place in places if by[place] == number]
        if not places or mention.beside:
            continue
        if number == focus:
            place = len(path) - 1
        elif own or len(places) == 1:
            place = (own or places)[0]
        else:
            continue
        found[place] = mention.kinds if path[place].kind in mention.kinds else found[place]
    return found


def written(path: Sequence[Step], names: Sequence[frozenset[str]], start: Iterable[str], schema: SchemaGraph) -> str:
    """A path from nodes of some kinds as a pattern, held to `names` where a step leads to other kinds too."""
    kinds, parts = set(start), list[str]()
    for step, wanted in zip(path, names, strict=True):
        said = schema.written([step])
        reached = _reached(kinds, step, schema)
        kept = reached & wanted
        if wanted and kept and reached - wanted:
            tested = [f"{said}[{pattern.quoted(kind)}]" for kind in sorted(kept)]
            said = tested[0] if len(tested) == 1 else f"({' | '.join(tested)})"
            reached = kept
        parts.append(said)
        kinds = reached
    return " / ".join(parts)


def _reached(kinds: Collection[str], step: Step, schema: SchemaGraph) -> set[str]:
    """The kinds that were given, or none at all, of the nodes that a step leads to."""
    either = step.relation in schema.mutual
    found = {
        other.kind
        for kind in kinds
        for other, _ in schema.by_relation.get(kind, {}).get(step.relation, ())
        if either or other.forward == step.forward
    }
    return found - schema.inferred
