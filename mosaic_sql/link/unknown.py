"""Names in a question that no node bears: what is written as a name, is none, and resembles none closely enough."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mosaic_sql import text as words
from mosaic_sql.errors import short
from mosaic_sql.link.near import Search
from mosaic_sql.link.wording import Wording, runs

_BRIDGES = words.PARTICLES - {"and", "la", "&"}
_TITLES = frozenset("mr mrs ms dr sir lord lady saint st".split())
_DAYS = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
_INITIALS = 4
"""Capital letters that may stand for a word of the language (CEO) and not for a name."""


@dataclass(frozen=True)
class Unknown:
    """A name as a question writes it, in small letters its `forms`, and the names that are nearest to it."""

    name: str
    forms: tuple[str, ...]
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        near = f"; near it: {', '.join(self.near)}" if self.near else ""
        return f'no node is called "{short(self.name)}"{near}'


def unknown(search: Search, covered: Sequence[tuple[int, int]]) -> tuple[Unknown, ...]:
    """The names of a question that stand outside the runs of words that are names already."""
    wording = search.wording
    known = {place for start, end in covered for place in range(start, end)}
    quoted = [run for run in wording.quoted if known.isdisjoint(range(*run)) and run[1] - run[0] < len(wording.tokens)]
    inside = {place for run in quoted for place in range(*run)}
    found = [*quoted, *_capitals(wording, known | inside)]
    return tuple(_told(search, run, covered) for run in sorted(found))


def _capitals(wording: Wording, taken: Collection[int]) -> list[tuple[int, int]]:
    """Runs of capitals that say nothing of the schema; small words may join two of them (Bank of Nowhere)."""
    tokens = wording.tokens
    places = {place for place in range(len(tokens)) if place not in taken and _names(wording, place)}
    bridged = [
        place
        for place in range(1, len(tokens) - 1)
        if tokens[place].form in _BRIDGES and {place - 1, place + 1} <= places
    ]
    return runs([*places, *bridged])


def _names(wording: Wording, place: int) -> bool:
    """Whether a word can only be (part of) a name: a capital where capitals tell, and no word of the schema."""
    token = wording.tokens[place]
    written = wording.question[token.start : token.end]
    if not (wording.cased and token.strong) or wording.opens(place) or not written[:1].isalpha():
        return False
    if written.isupper() and len(written) <= _INITIALS:
        return False
    return token.form not in words.STOP_WORDS | _TITLES | _DAYS and not wording.schema.speaks(token.form)


def _told(search: Search, run: tuple[int, int], covered: Sequence[tuple[int, int]]) -> Unknown:
    """A run with the known names that it is written in one with (Glass Sea Returns), and what is near it."""
    start, end = run
    for first, last in covered:
        if last == start and search.wording.goes_on(last - 1):
            start = first
        if first == end and search.wording.goes_on(first - 1):
            end = last
    first, last = search.wording.span(start, end)
    forms = tuple(token.form for token in search.wording.tokens[start:end])
    return Unknown(search.wording.question[first:last], forms, search.nearest(start, end))
