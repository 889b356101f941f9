"""From the words of a question to a path pattern: the schema's own paths, scored by the words they answer to.

The schema graph says which kinds each relation joins; a candidate is a path of at most `MAX_HOPS` relations from the
kind of the anchor (to the kind of a second one). Nothing here knows a data set: relation and kind names are the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
    question: str, names: Sequence[tuple[int, int]], kinds: Sequence[Iterable[str]], catalogue: Catalogue
) -> Shape | None:
    """The best pattern for a question with one or two anchors.

    Args:
        question: the question.
        names: character spans of the anchors' names; their words speak for no relation.
        kinds: the kinds of the first and, if given, the second anchor.
        catalogue: the schema.
    """
    schema = _Schema.of(catalogue)
    asked = _question_stems(question, names)
    wanted = _asked_kind(question, names, schema, catalogue.kinds)
    ends = set(kinds[1]) if len(kinds) > 1 else None
    shared = bool(_SHARED.search(question))
    best: Shape | None = None
    for path in _paths(schema, kinds[0]):
        if ends is not None and ends and path[-1].kind not in ends:
            continue
        shape = _score(path, asked, wanted if ends is None else None, schema, shared=shared)
        if shape and (best is None or _better(shape, best)):
            best = shape
    return best


def _better(one: Shape, other: Shape) -> bool:
    """Higher score, then shorter, then with fewer steps against their direction, then by name."""
    return (-one.score, one.length, one.backward, one.pattern) < (
        -other.score, other.length, other.backward, other.pattern
    )  # fmt: skip


def _paths(schema: _Schema, kinds: Iterable[str]) -> Iterator[tuple[Step, ...]]:
    """Every path of the schema from some kinds, shortest first; a step does not undo the one before it at once."""
    level: list[tuple[Step, ...]] = [(step,) for kind in sorted(set(kinds)) for step in schema.steps.get(kind, [])]
    given = 0
    for _ in range(MAX_HOPS):
        following: list[tuple[Step, ...]] = []
        for path in level:
            yield path
            given += 1
            if given >= _CANDIDATES:
                return
            following += [(*path, step) for step in schema.steps.get(path[-1].kind, [])]
        level = following


def _score(
    path: Sequence[Step], asked: Sequence[str], wanted: str | None, schema: _Schema, *, shared: bool
) -> Shape | None:
    """Each question word speaks for one step, each step needs a word; a path that ends in the kind asked for gains."""
    free, spoken, score = list(asked), list[str](), 0.0
    for place, step in enumerate(path):
        undone = place > 0 and path[place - 1].relation == step.relation and path[place - 1].forward != step.forward
        found = None if undone else _take(free, schema.stems[step.relation])
        if found:
            score += 1.0
            spoken.append(found)
        elif not undone:
            score -= 0.6
        elif shared and place == 1:
            score += 0.8  # out and back over one relation: "the same award"
        else:
            return None
        kind_word = _take(free, schema.stems[step.kind]) if step.kind else None
        if kind_word:
            score += 0.4
            spoken.append(kind_word)
        score -= 0.05
    if wanted is not None:
        score += 0.5 if path[-1].kind == wanted else -0.5
    if not spoken or score <= 0.3:
        return None
    text = pattern.format_path([(step.relation, step.forward) for step in path])
    telling = [word for word in asked if word not in _LIGHT]
    coverage = sum(word in spoken for word in telling) / max(1, len(telling))
    backward = sum(not step.forward for step in path)
    return Shape(text, round(score, 6), tuple(spoken), coverage, len(path), backward)


def _take(free: list[str], stems: frozenset[str]) -> str | None:
    for word in free:
        if any(_alike(word, stem) for stem in stems):
            free.remove(word)
            return word
    return None


def _alike(one: str, other: str) -> bool:
    """Equal, or one begins the other and has four letters or more: director ~ directed."""
    return one == other or (min(len(one), len(other)) >= 4 and (one.startswith(other) or other.startswith(one)))


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
