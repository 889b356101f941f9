"""Whether a context says what it should: statements held by the words of its passages. No model judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from mosaic_sql import text as words

HELD = 0.7
"""Share of a statement's content stems that must stand in a text for the text to hold the statement.

Of 0.6 to 1.0 it tells a question's own statements best from those of another one (40 questions of GraphRAG-Bench
Medical, contexts of 6,000 characters: 69 against 41 percent, in a single passage 41 against 23; with 0.8 it is 56
against 30, and 20 against 13). What is held by chance is told beside each result.
"""
_VERDICTS = frozenset({"yes", "no"})

Statement = frozenset[str]
"""The content stems of a statement; not empty."""


class Part(NamedTuple):
    """A passage of a context: its text, and the title shown above it (empty for a fact of a graph)."""

    text: str
    title: str = ""


def statements(texts: Iterable[str]) -> tuple[Statement, ...]:
    """What each text says; texts without a content word, and a bare yes or no, say nothing that can be looked for."""
    found = (frozenset(words.stems(text)) for text in texts if words.normalise(text) not in _VERDICTS)
    return tuple(statement for statement in found if statement)


def holds(stems: frozenset[str], statement: Statement) -> bool:
    """Whether a text with these content stems holds a statement: at least HELD of the statement's stems are there."""
    return len(statement & stems) / len(statement) >= HELD


def cut(parts: Iterable[Part], characters: int) -> list[Part]:
    """The first `characters` characters of the texts, in order; the last part may be cut short."""
    kept: list[Part] = []
    left = characters
    for part in parts:
        if left <= 0:
            break
        kept.append(part._replace(text=part.text[:left]))
        left -= len(part.text)
    return kept


def length(parts: Iterable[Part]) -> int:
    """Characters of the texts."""
    return sum(len(part.text) for part in parts)


def judge(wanted: Sequence[Statement], parts: Sequence[Part]) -> dict[str, float]:
    """How much of what is wanted a context says; every value in [0, 1].

    Args:
        wanted: at least one statement.
        parts: the context.

    Returns:
        `statements`: share held by the context as a whole; `in_passage`: share that a single passage holds;
        `precision`: share of the context's characters in passages that hold a statement by themselves.
    """
    stems = [_stems(part) for part in parts]
    hit = [any(holds(own, statement) for statement in wanted) for own in stems]
    useful = length(part for part, does in zip(parts, hit, strict=True) if does)
    return {
        "statements": share_held(wanted, parts),
        "in_passage": sum(any(holds(own, statement) for own in stems) for statement in wanted) / len(wanted),
        "precision": useful / max(1, length(parts)),
    }


def share_held(wanted: Sequence[Statement], parts: Sequence[Part]) -> float:
    """Share of at least one statement held by the context as a whole, in [0, 1]."""
    whole_context = frozenset[str]().union(*(_stems(part) for part in parts))
    return sum(holds(whole_context, statement) for statement in wanted) / len(wanted)


@lru_cache(maxsize=1 << 14)
def _stems(part: Part) -> frozenset[str]:
    return frozenset(words.stems(f"{part.title} {part.text}"))
