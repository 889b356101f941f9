"""Halves and quarters of a year: in the second half of 2024, in Q3 2024."""

from __future__ import annotations

import re

_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}
PART_OF_YEAR = re.compile(
    r"\b(?:(?:in|during|within|of|for|from) )?(?:the )?"
    r"(?:(?P<nth>first|second|1st|2nd) (?P<half>half)(?: of)?(?: the year)?"
    r"|(?P<nth4>first|second|third|fourth|1st|2nd|3rd|4th) (?P<quarter>quarter)(?: of)?(?: the year)?"
    r"|(?P<short>q[1-4]|h[12])(?: of)?) (?P<year>[12]\d{3})\b",
    re.IGNORECASE,
)
"""Which part of which year, with the small words before it."""


def months(match: re.Match[str]) -> tuple[str, str]:
    """The first and the last month of a match of `PART_OF_YEAR`, as `2024-07`."""
    word = (match["nth"] or match["nth4"] or match["short"][1]).lower()
    place = _PLACES.get(word) or int(word[0])
    length = 6 if match["half"] or (match["short"] or "").lower().startswith("h") else 3
    year = match["year"]
    return f"{year}-{length * (place - 1) + 1:02}", f"{year}-{length * place:02}"
