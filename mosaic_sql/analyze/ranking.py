"""Patterns that were found in a question, and which of them comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mosaic_sql.analyze.schema import Step


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


class State(NamedTuple):
    """Where the search stands: mentions `used` (a bit each) by which steps, and what the steps are worth."""

    path: tuple[Step, ...]
    kind: str
    used: int
    by: tuple[int, ...]
    worth: float
    silent: int


def unmoved(found: list[Shape], moving: Sequence[tuple[Shape, tuple[str, ...]]]) -> list[Shape]:
    """Those found; where a better one moves words to another node, those that these words speak for too."""
    if not moving:
        return found
    best, away = min(moving, key=lambda each: rank(each[0]))
    return [shape for shape in found if rank(shape) < rank(best) or set(away) <= set(shape.words)]


def rank(shape: Shape) -> tuple[float, int, int, str]:
    """Higher score, then shorter, then with fewer steps against their direction, then by name."""
    return (-shape.score, shape.length, shape.backward, shape.pattern)


def is_better(one: Shape, other: Shape | None) -> bool:
    """Whether one shape comes before another, or there is no other."""
    return other is None or rank(one) < rank(other)
