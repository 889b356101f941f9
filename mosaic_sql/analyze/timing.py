"""Cues of time in words: chronological order, by year, the 18th century, three that come last."""

from __future__ import annotations

import re

from mosaic_sql.analyze.amounts import N
from mosaic_sql.analyze.families import TIME
from mosaic_sql.analyze.wants import Asked, Bound, Sort
from mosaic_sql.text import blanked

_ORDER = re.compile(
    r",?\s*\b(?:(?:sorted|ordered|listed|arranged) )?(?:in (?:a |the )?)?(?P<reverse>reverse[ -])?"
    r"chronological(?:ly| order)\b",
    re.IGNORECASE,
)
_BY_TIME = re.compile(
    r",?\s*\b(?:(?:sorted|ordered|ranked|listed|arranged) )?(?:by|in (?:the )?order of) (?:the |their )?"
    r"(?P<noun>(?:\w+ )?(?:year|date|time))(?: of (?P<what>\w+))?(?P<down>,? (?:desc\w*|newest first|latest first))?"
    r"\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^\W*(?:please )?(?:sort|order|rank|arrange)\b", re.IGNORECASE)
_SO_MANY = re.compile(rf"\b(?:the|which|what|name|list) (?P<n>{N})(?: +\w+s\b|  )", re.IGNORECASE)
_CENTURY = re.compile(r"\bin (?:the )?(?P<nth>\d{1,2})(?:st|nd|rd|th)[ -]century\b", re.IGNORECASE)


def order(asked: Asked) -> None:
    """In chronological order, by premiere year: ascending, where nothing else is said; by the date of that name."""
    found = _ORDER.search(asked.rest)
    noun, down = "", bool(found and found["reverse"])
    if found is None and (found := _BY_TIME.search(asked.rest)):
        noun, down = _named(found), bool(found["down"])
    if found is None or asked.sort:
        return
    said = " ".join(found[0].strip(" ,?.!").split())
    asked.rest = blanked(asked.rest, *found.span())
    opens = _OPENS.search(asked.rest)
    if opens:
        asked.rest = blanked(asked.rest, *opens.span())
    asked.sort = Sort(said, down, TIME, noun)


def of_them(asked: Asked, last: re.Match[str]) -> str | None:
    """How many are asked for, where a word for their order ends the question: which three films came out last."""
    found = _SO_MANY.search(asked.rest[: last.start()])
    if found is None or asked.rest[last.end() :].strip(" ?.!"):
        return None
    asked.rest = blanked(asked.rest, *found.span("n"))
    return found["n"]


def century(asked: Asked) -> None:
    """In a century: its hundred years, as they are counted in everyday speech, 1700 to 1799."""
    found = _CENTURY.search(asked.rest)
    if found is None:
        return
    first = 100 * (int(found["nth"]) - 1)
    asked.rest = blanked(asked.rest, *found.span())
    bound = Bound(found[0], "date", "between", f"{first:04}", f"{first + 99:04}", place=found.start())
    asked.bounds.append(bound)


def _named(found: re.Match[str]) -> str:
    """What the date is of: premiere year, year of birth; empty for year or date alone."""
    said = [word for word in found["noun"].lower().split() if word not in ("the", "their")]
    return " ".join(said) if len(said) > 1 else f"{said[0]} of {found['what'].lower()}" if found["what"] else ""
