"""From the words of a question to a path pattern: the schema's own paths, scored by the words they answer to.

The schema graph says which kinds each relation joins; a candidate is a path of at most `MAX_HOPS` relations from the
kind of the anchor (to the kind of a second one). Nothing here knows a data set: relation and kind names are the words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mosaic_sql import pattern
from mosaic_sql import text as words
from mosaic_sql.records import Catalogue

MAX_HOPS = 4
_CANDIDATES = 20_000
_LIGHT = frozenset(
    words.stem(word) for word in "take taken took give given get got made make year date name call".split()
)
_SHARED = re.compile(r"\b(same|both|common|shared?|other|also|together)\b", re.IGNORECASE)
# Question words that ask for a kind, where the schema has a kind of one of these names.
_ASKED = {
    "who": ("person", "people", "author", "actor", "human", "agent"),
    "whom": ("person", "people", "author", "actor", "human"),
    "whose": ("person", "people", "author", "actor", "human"),
    "where": ("place", "location", "city", "country"),
    "when": ("year", "date", "time"),
}


@dataclass(frozen=True)
class Step:
    """One relation of the schema, read in a direction, and the kind it leads to."""

    relation: str
    forward: bool
    kind: str


@dataclass(frozen=True)
class Shape:
    """A path pattern found in a question, with the words that speak for it and their score.

    `coverage` in [0, 1] is the share of the question's telling words, names left out, that the pattern answers to.
    """

    pattern: str
    score: float
    words: tuple[str, ...]
    coverage: float
    length: int
    backward: int


@dataclass
class _Schema:
    steps: dict[str, list[Step]] = field(default_factory=dict)
    stems: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, catalogue: Catalogue) -> _Schema:
        schema = cls()
        for source, relation, target, _ in catalogue.schema_paths:
            schema.steps.setdefault(source, []).append(Step(relation, True, target))
            schema.steps.setdefault(target, []).append(Step(relation, False, source))
            for name in (source, relation, target):
                schema.stems.setdefault(name, _stems_of(name))
        return schema


def find(
    question: str,
    names: Sequence[tuple[int, int]],
    kinds: Sequence[Iterable[str]],
    catalogue: Catalogue,
    *,
    first_steps: Collection[tuple[str, bool]] = (),
) -> Shape | None:
    """The best pattern for a question with one or two anchors.

    Args:
        question: the question.
        names: character spans of the anchors' names; their words speak for no relation.
        kinds: the kinds of the first and, if given, the second anchor.
        catalogue: the schema.
        first_steps: (relation, forward) that the first anchor itself has; empty for any.
    """
    schema = _Schema.of(catalogue)
    search = _Search(
        schema=schema,
        asked=_question_stems(question, names),
        wanted=_asked_kind(question, names, schema, catalogue.kinds) if len(kinds) < 2 else None,
        ends=frozenset(kinds[1]) if len(kinds) > 1 else frozenset(),
        shared=bool(_SHARED.search(question)),
        first_steps=frozenset(first_steps),
    )
    for kind in sorted(set(kinds[0])):
        search.extend(_State((), kind, search.asked, (), 0.0, 0))
    return search.best


class _State(NamedTuple):
    """Where the search stands: `free` words speak for no step yet, `silent` steps have no word."""

    path: tuple[Step, ...]
    kind: str
    free: list[str]
    spoken: tuple[str, ...]
    score: float
    silent: int


@dataclass
class _Search:
    """Depth first over the schema's paths. A step that no word speaks for is allowed once in a path."""

    schema: _Schema
    asked: list[str]
    wanted: str | None
    ends: frozenset[str]
    shared: bool
    first_steps: frozenset[tuple[str, bool]]
    best: Shape | None = None
    tried: int = 0

    def extend(self, state: _State) -> None:
        """Try every step from where the search stands."""
        for step in self.schema.steps.get(state.kind, ()):
            if not state.path and self.first_steps and (step.relation, step.forward) not in self.first_steps:
                continue
            self.tried += 1
            if self.tried > _CANDIDATES:
                return
            worth = self._worth(state.path, step, state.free)
            if worth is None or state.silent + (worth.value < 0) > 1:
                continue
            longer = _State(
                path=(*state.path, step),
                kind=step.kind,
                free=worth.free,
                spoken=(*state.spoken, *worth.words),
                score=state.score + worth.value - 0.05,
                silent=state.silent + (worth.value < 0),
            )
            self._consider(longer.path, longer.spoken, longer.score)
            if len(longer.path) < MAX_HOPS:
                self.extend(longer)

    def _worth(self, path: tuple[Step, ...], step: Step, free: list[str]) -> _Worth | None:
        """Each question word speaks for one step; out and back over one relation only where something is shared."""
        left, said, value = list(free), list[str](), 0.0
        undone = bool(path) and path[-1].relation == step.relation and path[-1].forward != step.forward
        if undone and not (self.shared and len(path) == 1):
            return None
        found = None if undone else _take(left, self.schema.stems[step.relation])
        value += 0.8 if undone else 1.0 if found else -0.6
        kind_word = _take(left, self.schema.stems[step.kind]) if step.kind and not _inferred(step.kind) else None
        value += 0.4 if kind_word else 0.0
        said += [word for word in (found, kind_word) if word]
        return _Worth(value, left, tuple(said))

    def _consider(self, path: tuple[Step, ...], spoken: tuple[str, ...], score: float) -> None:
        if self.ends and path[-1].kind not in self.ends:
            return
        if self.wanted is not None:  # a path that ends in the kind asked for gains
            score += 0.5 if path[-1].kind == self.wanted else -0.5
        if not spoken or score <= 0.3:
            return
        telling = [word for word in self.asked if word not in _LIGHT]
        shape = Shape(
            pattern=pattern.format_path([(step.relation, step.forward) for step in path]),
            score=round(score, 6),
            words=spoken,
            coverage=sum(word in spoken for word in telling) / max(1, len(telling)),
            length=len(path),
            backward=sum(not step.forward for step in path),
        )
        if self.best is None or _better(shape, self.best):
            self.best = shape


@dataclass(frozen=True)
class _Worth:
    value: float
    free: list[str]
    words: tuple[str, ...]


def _better(one: Shape, other: Shape) -> bool:
    """Higher score, then shorter, then with fewer steps against their direction, then by name."""
    return (-one.score, one.length, one.backward, one.pattern) < (
        -other.score, other.length, other.backward, other.pattern
    )  # fmt: skip


def _inferred(kind: str) -> bool:
    """A kind that was inferred from what a node has; its words are the relation's."""
    return kind.startswith("has ")


def _take(free: list[str], stems: frozenset[str]) -> str | None:
    for word in free:
        if any(words.alike(word, stem) for stem in stems):
            free.remove(word)
            return word
    return None


def is_schema_word(word: str, catalogue: Catalogue) -> bool:
    """Whether a word is (part of) the name of a relation or a kind."""
    stem = words.stem(word)
    names = (*(relation for _, relation in catalogue.relations), *catalogue.kinds)
    return any(words.alike(stem, other) for name in names for other in _stems_of(name))


def _stems_of(name: str) -> frozenset[str]:
    return frozenset(words.stems(name.replace("_", " ").replace("-", " ")))


def _question_stems(question: str, names: Sequence[tuple[int, int]]) -> list[str]:
    return [
        words.stem(token.form)
        for token in words.tokens(question)
        if token.form not in words.STOP_WORDS and not any(start <= token.start < end for start, end in names)
    ]


def _asked_kind(question: str, names: Sequence[tuple[int, int]], schema: _Schema, kinds: Sequence[str]) -> str | None:
    """The kind a question asks for: the noun after which/what, else what who and where stand for."""
    tokens = [t for t in words.tokens(question) if not any(start <= t.start < end for start, end in names)]
    by_stem: Mapping[str, str] = {stem: kind for kind in kinds for stem in schema.stems.get(kind, ())}
    for place, token in enumerate(tokens):
        if token.form in ("which", "what"):
            for following in tokens[place + 1 : place + 4]:
                if words.stem(following.form) in by_stem:
                    return by_stem[words.stem(following.form)]
        for kind in _ASKED.get(token.form, ()):
            if kind in kinds:
                return kind
    return None
