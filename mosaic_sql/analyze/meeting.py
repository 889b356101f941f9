"""Two anchors that share something: a path out to what they share, and the same path back.

"Do A and B have publishers in common" names the thing in the middle, not the way to it: from an author over the books
to the publisher, and back over books to an author. The way back mirrors the way out, since both ends are of one kind.
Where each does it to the other (A and B cite each other), one relation in the middle is walked either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from mosaic_sql import pattern
from mosaic_sql.analyze.mentions import NOTHING, STRONG, Mention
from mosaic_sql.analyze.schema import SchemaGraph, Step, roles_of
from mosaic_sql.analyze.wording import Wording

HALF = 2
"""Steps from an anchor to what is shared."""
_STEP, _SILENT, _AGAINST, _LEFT = -0.2, -0.3, -0.05, -0.7
"""Worth of every step, of one that no word names, of one against its edges, and of a word (times its weight) that
names nothing on the path."""
_MENTION = 0.9
"""Worth of a word that names something on the path, times its strength."""


@dataclass(frozen=True)
class Meeting:
    """A path over something shared, as a pattern, with its worth and the words that speak for it."""

    pattern: str
    score: float
    said: tuple[str, ...]


def find(
    read: Wording, schema: SchemaGraph, kinds: Sequence[Iterable[str]], first_steps: Collection[tuple[str, bool]]
) -> Meeting | None:
    """The path that two anchors of one kind share something by; None where nothing is said to be shared.

    Args:
        read: the question.
        schema: the kinds and the steps between them.
        kinds: the kinds of both anchors.
        first_steps: (relation, forward) that the first anchor has; empty for any.
    """
    common = set(kinds[0]) & set(kinds[1])
    alike = sorted(common - schema.inferred) or sorted(common)
    if not alike or not (read.joined or read.mutual):
        return None
    only = _spoken(read) if common <= schema.inferred else frozenset()
    halves = [half for kind in alike for half in _halves(schema, kind, first_steps, only)]
    if read.mutual:
        found = [each for kind, half in halves for each in _mutual(read, schema, kind, half)]
        found += [each for kind in alike for each in _mutual(read, schema, kind, ())]
        if found:
            return _best(found)
    shared = _shared(read) if read.joined else None
    if shared is None:
        return None
    fitting = [(kind, half) for kind, half in halves if _leads_to(shared, half[-1], schema)]
    return _best([_over(read, schema, kind, half) for kind, half in fitting])


def _best(found: Sequence[Meeting]) -> Meeting | None:
    return min(found, key=lambda each: (-each.score, each.pattern.count("/"), each.pattern), default=None)


def _spoken(read: Wording) -> frozenset[str]:
    """The relations that words speak for: a node of inferred kinds has too many ways out to try them all."""
    return frozenset(
        relation
        for mention in read.mentions
        for relation, evidence in mention.relations.items()
        if evidence.strength >= STRONG
    )


def _halves(
    schema: SchemaGraph, kind: str, first_steps: Collection[tuple[str, bool]], only: Collection[str]
) -> Iterable[tuple[str, tuple[Step, ...]]]:
    """Ways out from a kind, none back over itself; over `only` these relations, where any is named."""
    states: list[tuple[Step, ...]] = [()]
    for _ in range(HALF):
        states = [
            (*path, step)
            for path in states
            for step, _ in schema.steps.get(path[-1].kind if path else kind, ())
            if (path or not first_steps or (step.relation, step.forward) in first_steps)
            and (not only or step.relation in only)
            and not (path and step.undoes(path[-1]) and step.inverse == "")
        ]
        yield from ((kind, path) for path in states)


def _shared(read: Wording) -> Mention | None:
    """The mention of what is shared: said so, else what is asked for, else what is asked to exist."""
    nouns = [mention for mention in read.mentions if mention.noun and not mention.beside]
    said = [mention for mention in read.mentions if mention.shared and not mention.beside]
    if said:
        return said[0]
    if read.focus is not None and not read.mentions[read.focus].beside:
        return read.mentions[read.focus]
    return nouns[0] if nouns and (read.exists or read.shared) else None


def _leads_to(mention: Mention, step: Step, schema: SchemaGraph) -> bool:
    """Whether the node that a step leads to is what the mention names."""
    if mention.kinds:
        return step.kind in mention.kinds
    arrives = frozenset(roles_of(step.relation, step.forward))
    if mention.roles & (arrives | schema.roles.get(step.kind, frozenset())):
        return True
    evidence = mention.of(step)
    return evidence is not None and evidence.strength >= STRONG and evidence.one_is_target == step.forward


def _back(kind: str, half: Sequence[Step]) -> list[Step]:
    """The way back: each step turned, the last first."""
    kinds = [kind, *(step.kind for step in half)]
    return [step.turned(before) for step, before in reversed(list(zip(half, kinds[:-1], strict=True)))]


def _over(read: Wording, schema: SchemaGraph, kind: str, half: tuple[Step, ...]) -> Meeting:
    path = [*half, *_back(kind, half)]
    score, said = _worth(read, half, kind)
    return Meeting(schema.written(path), score, said)


def _mutual(read: Wording, schema: SchemaGraph, kind: str, half: tuple[Step, ...]) -> Iterable[Meeting]:
    """Paths with a relation between two of one kind in the middle, walked either way, that a word names."""
    middle = half[-1].kind if half else kind
    for step, _ in schema.steps.get(middle, ()):
        spoken = any((mention.of(step) or NOTHING).strength >= STRONG for mention in read.mentions)
        if step.kind != middle or not step.forward or not spoken:
            continue
        turned = step.turned(middle)
        either = sorted({(step.relation, True), (turned.relation, turned.forward)}, key=lambda e: (not e[1], e[0]))
        center = " | ".join(pattern.format_path([each]) for each in either)
        ways = (half, _back(kind, half))
        out, back = (schema.written(way) for way in ways)
        score, said = _worth(read, (*half, step), kind)
        yield Meeting(" / ".join(part for part in (out, f"({center})", back) if part), score, said)


def _worth(read: Wording, half: Sequence[Step], kind: str) -> tuple[float, tuple[str, ...]]:
    """What the words say for a way out, and those that do."""
    score, said = 0.0, list[str]()
    spoken: set[int] = set()
    nodes = {kind, *(step.kind for step in half)}
    for mention in read.mentions:
        own = {number: _speaks(mention, step) for number, step in enumerate(half)}
        strength = max([*own.values(), 0.5 if mention.kinds & nodes else 0.0])
        spoken |= {number for number, value in own.items() if value}
        score += _MENTION * strength if strength else 0.0 if mention.beside or mention.asks else _LEFT * mention.weight
        said += mention.said if strength else ()
    score += _STEP * len(half) + _SILENT * (len(half) - len(spoken)) + _AGAINST * sum(not step.forward for step in half)
    return score, tuple(said)


def _speaks(mention: Mention, step: Step) -> float:
    """How strongly a mention speaks for a step: by its relation, or by the kind that it leads to."""
    evidence = mention.of(step)
    return max(evidence.strength if evidence else 0.0, 0.5 if step.kind in mention.kinds else 0.0)
