"""What should not be given with or to something, where a relation of the graph says that: contraindicated in, with.

The words for it are written as the relation is, every name in its place. Where no relation says it, nothing is changed,
and that the question was not understood is told as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.drafting import blank
from mosaic_sql.records import Catalogue, Target

_SAYS = words.stem("contraindicated")
_WHOM = (
    r"(?P<whom> (?:the )?(?:patients?|people|persons?|those|someone|anyone|individuals|women|men|children)"
    r"(?: (?:with|who (?:have|has)|having|suffering from))?)?"
)
_NOT = r"(?:(?:should|must|ought|may|can|shall)(?: not|n['’]t| never)|cannot|can['’]t)(?: to)?"
_GIVEN = r"be (?:given|taken|used|prescribed|administered|combined|coadministered|co-administered|mixed)(?: together)?"
_HOW = r"(?P<how>to|in|by|for|during|with|alongside)"
_WHAT = re.compile(
    rf"\b(?:(?:that|which) )?(?:{_NOT} {_GIVEN}|(?:should|must|ought to|has to|have to) be avoided) {_HOW}{_WHOM}(?= )",
    re.IGNORECASE,
)
_WHO = re.compile(rf"\b(?:should|must){_WHOM}(?= )", re.IGNORECASE)
_KEEPS = re.compile(r" (?:(?:not|never) (?:take|use|be given|receive)|avoid)(?: taking| using)?\W*$", re.IGNORECASE)


def written(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> str:
    """The question with what should not be given said as the relation for it; as it is where none says it.

    It is as long as it was, and the names of its anchors stand where they stood.
    """
    if not any(_SAYS in map(words.stem, lexicon.parts(relation)) for _, relation in catalogue.relations):
        return question
    text = blank(question, anchors)
    found = _WHAT.search(text)
    if found is not None and _is_before_name(text, found.end(), anchors):
        placed = found["whom"] or found["how"].lower() not in ("with", "alongside")
        return _instead(question, found.span(), "contraindicated in" if placed else "contraindicated with")
    who, keeps = _WHO.search(text), _KEEPS.search(text)
    if who is None or keeps is None or not who["whom"] or not _is_before_name(text, who.end(), anchors):
        return question
    return _instead(words.blanked(question, *keeps.span()), who.span(), "contraindicated in")


def pattern(found: str | None, anchors: Sequence[Target], catalogue: Catalogue) -> str | None:
    """The step of such a relation that a pattern is, either way where it joins things of one kind; None for another.

    Where the pattern is another one, the steps that the only anchor has to its like.
    """
    steps = patterns.single_steps(found) if found else []
    steps = [step for step in steps if _says(step[0])]
    if not steps and len(anchors) == 1:
        steps = [step for step in anchors[0].steps if _says(step[0]) and _joins_likes(step[0], catalogue)]
    if not steps:
        return None
    both = [(relation, way) for relation, forward in steps for way in _ways(relation, forward, catalogue)]
    return " | ".join(patterns.format_path([step]) for step in dict.fromkeys(both))


def _says(relation: str | None) -> bool:
    return relation is not None and _SAYS in map(words.stem, lexicon.parts(relation))


def _ways(relation: str | None, forward: bool | None, catalogue: Catalogue) -> tuple[bool | None, ...]:
    return (True, False) if relation and _joins_likes(relation, catalogue) else (forward,)


def _joins_likes(relation: str, catalogue: Catalogue) -> bool:
    ends = [(start, end) for start, own, end, _ in catalogue.schema_paths if own == relation]
    return bool(ends) and all(start == end for start, end in ends)


def _is_before_name(text: str, place: int, anchors: Sequence[Target]) -> bool:
    """Whether nothing but an article stands between a place and the next name."""
    return any(
        place <= one.char_start and not re.sub(r"\b(?:the|an?)\b", "", text[place : one.char_start]).strip()
        for one in anchors
    )


def _instead(question: str, span: tuple[int, int], said: str) -> str:
    """The question with other words at a place, where they are no longer than those there."""
    start, end = span
    return question[:start] + said.ljust(end - start) + question[end:] if len(said) <= end - start else question
