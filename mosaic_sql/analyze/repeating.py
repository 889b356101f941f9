"""What is done again and again: what A depends on directly or indirectly, all transitive dependencies of A.

The words for it are taken out of the question; the one step that the rest of it asks for, which has to lead to more of
what it may be taken from, is then repeated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import schema
from mosaic_sql.records import Catalogue, Target

MOST = 10
"""Steps, at most, of what is repeated."""

_FAR = r"(?:in-?direct|transitive|recursive)(?:ly)?"
_NEAR = r"direct(?:ly)?"
_JOINED = r",? (?:and|or|and/or|or also) "
_SAID = re.compile(
    rf",?\s*\b(?:both )?(?:{_NEAR}{_JOINED}{_FAR}|{_FAR}{_JOINED}{_NEAR}|(?P<far>{_FAR}))\b,?", re.IGNORECASE
)


def taken(question: str, names: Sequence[Target]) -> tuple[str, int]:
    """The question without the words, as long as it was, and the fewest steps that they mean; 0 for no such words.

    What is indirect alone takes two steps; what is transitive any number. A word in one of the names says no such.
    """
    text = question
    for name in names:  # marked, so that no blanks beside the words are those of a name
        text = text[: name.char_start] + "|" * (name.char_end - name.char_start) + text[name.char_end :]
    found = _SAID.search(text)
    if found is None:
        return question, 0
    indirect = found["far"] is not None and found["far"].lower().startswith("in")
    return words.blanked(question, *found.span()), 2 if indirect else 1


def repeated(pattern: str | None, least: int, catalogue: Catalogue) -> str | None:
    """A pattern of one step, or one that ends in it, repeated; None where the step leads to nothing it starts from."""
    steps = patterns.single_steps(pattern) if pattern else []
    if len(steps) != 1:
        return None
    ((relation, forward),) = steps
    likes = {
        start
        for other, way, start, end in schema.each_way(catalogue)
        if other == relation and start == end
        if forward in (None, way)
    }
    return f"({pattern}){{{least},{MOST}}}" if likes else None
