"""Conditions on values that end a description: the film that stars X and was released in 1999, has over 300 pages.

Dates and numbers name no node, so no walk meets them; they are told apart from what the question itself says of a time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, properties
from mosaic_sql.analyze.drafting import kinds_in, stems_of
from mosaic_sql.records import Catalogue, Property

_JOINED = re.compile(
    r"\s*,?\s*(?:and(?: (?:that|which|who))?|that|which|who)(?: (?:was|were|is|are|has|have|had))?(?: \w+){0,2}\s*",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(r"\s*,?\s*\w+(?:ed|en|born|made|built|shot)(?: only)?\s*", re.IGNORECASE)
_LIFE = frozenset("birth born death di".split())
_SMALL = frozenset(words.stem(form) for form in "and that which who was were is are has have had only".split())


def end(text: str, start: int, head: str, catalogue: Catalogue, *, bare: bool = True) -> int:
    """Where the conditions end that follow a description of which the noun is `head`; `start` where none does.

    `text` has its names blanked out by a mark that is no space. A condition is joined (and was released in 1999), a
    participle (released in 1999), or, where `bare`, a date alone; the last two must speak of what such a thing has. A
    date alone that ends the question is no time of an edge into the thing: it is that of the question's own walk.
    """
    own = _of(head, catalogue)
    while bounds := asking.read(text[start:]).bounds:
        places = {text.find(bound.words, start): bound for bound in bounds}
        place = min(places)
        after = place + len(places[place].words.rstrip())
        goes_on = bool(text[after:].strip(" ?.!")) or any(one.owner != "edge" for one in own)
        if not _follows(text[start:place], places[place], own, bare=bare and goes_on):
            break
        start = after
    return start


def _of(head: str, catalogue: Catalogue) -> list[Property]:
    """What a thing may have: by its kind, or for want of one, the times of any edge."""
    kinds = kinds_in(head, catalogue)
    if kinds:
        return [one for one in catalogue.properties if one.owner != "edge" and one.label in kinds]
    return [one for one in catalogue.properties if one.owner == "edge" and properties.interval([one])]


def _follows(between: str, bound: asking.Bound, own: Sequence[Property], *, bare: bool) -> bool:
    joined = bool(between.strip()) and bool(_JOINED.fullmatch(between))
    if not own:
        return joined
    if bound.kind == "number":
        measured = bound.family is not None and properties.by_family(bound.family, own) is not None
        counted = bool(bound.noun) and properties.by_noun(bound.noun, own) is not None
        return (joined or not between.strip()) and (measured or counted)
    dates = [
        one
        for one in own
        if one.type == "date" or one.owner == "edge" or properties.YEARS & {*properties.stems(one.name)}
    ]
    said = [stem for stem in stems_of(between) if stem not in _SMALL]
    if said and not (joined or _PARTICIPLE.fullmatch(between)):
        return False
    if not said:
        return (joined or bare) and any(not _LIFE & set(properties.stems(one.name)) for one in dates)
    plain = any(set(properties.stems(one.name)) <= {"year", "date", "time"} | properties.YEARS for one in dates)
    years = [one for one in own if one.type == "number" and bound.value.isdigit()]
    return bool(properties.named(said, [*dates, *years])) or (plain and not _LIFE & set(said))
