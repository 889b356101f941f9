"""What a superlative chooses among all of its kind, with no name beside: the longest film, in a longer question.

    Who directed   the longest film ?                   What is the longest film?
    Where was      the author with the most books born? Which author has the most books?

What stands in a question for such a thing is resolved first; what the question asks of it comes after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mosaic_sql.analyze.families import SUPERLATIVES

_ORDER = "|".join(sorted(map(re.escape, SUPERLATIVES), key=len, reverse=True))
_MOST = r"(?:most|fewest|least)(?: (?:other|different|distinct)(?= \w))?"
_BY = re.compile(r"\s+by (?P<said>(?:(?:the|their) )?\w+(?: \w+){0,3})(?P<last>\s*[?.!]*\s*$)?", re.IGNORECASE)
"""By what it is chosen: the largest companies by revenue; at the end of a question whatever is said there."""
_NTH = r"(?:\w+th|\d*(?:1st|2nd|3rd)|second|third)[ -]"
_SOME = rf"{_MOST} (?!(?:other|different|distinct)\b)\w+"
_CHOSEN = re.compile(
    rf"\bthe (?:(?!{_ORDER}|{_MOST})\w+ )?(?:{_NTH})?(?:{_ORDER}|{_SOME})\b(?P<after>(?: \w+){{1,3}})",
    re.IGNORECASE,
)
_HAVING = re.compile(
    r"\bthe (?P<head>\w+(?: \w+)?) (?P<how>with|having|(?:that|which|who)(?= \w))(?P<verb>(?: \w+){0,3}?)"
    rf"(?P<most> the (?:{_ORDER}|{_MOST}) \w+)\b",
    re.IGNORECASE,
)


class Chosen(NamedTuple):
    """Where such a thing stands in a question, and the question that tells which it is."""

    start: int
    end: int
    question: str


def find(text: str, is_kind: Callable[[str], bool], is_measure: Callable[[str], bool]) -> Chosen | None:
    """The last one in a question whose names are blanked out.

    `is_kind` tells whether a word names a kind, `is_measure` whether words name what the largest may be told by.
    """
    return max(_all(text, is_kind, is_measure), key=lambda one: (one.end, -one.start), default=None)


def _all(text: str, is_kind: Callable[[str], bool], is_measure: Callable[[str], bool]) -> Iterator[Chosen]:
    for match in _HAVING.finditer(text):
        verb = " has" if match["how"].lower() in ("with", "having") else match["verb"]
        yield Chosen(match.start(), match.end(), f"Which {match['head']}{verb}{match['most']}?")
    for match in _CHOSEN.finditer(text):
        for word in re.finditer(r"\w+", match["after"]):
            if is_kind(word[0]):
                end = _measured(text, match.start("after") + word.end(), is_measure)
                yield Chosen(match.start(), end, f"What is {text[match.start() : end]}?")
                break


def _measured(text: str, end: int, is_measure: Callable[[str], bool]) -> int:
    """Where a thing ends that is chosen by what it has: behind that."""
    by = _BY.match(text, end)
    if by is None:
        return end
    said = by["said"].split()
    runs = (" ".join(said[:length]) for length in range(len(said), 0, -1))
    told = next((run for run in runs if is_measure(run)), by["said"] if by["last"] is not None else "")
    return by.start("said") + len(told) if told else end
