"""What holds still (the current director, who works there now) and what no longer does: by the end of the edge."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.asking import Asked
from mosaic_sql.analyze.drafting import Draft, is_named
from mosaic_sql.records import Catalogue, Property

_NOW = re.compile(
    r"\b(?:(?<!\buntil )(?<!\bup to )(?<!\bby )(?:right |just )?now(?! that\b)|current(?:ly)?|present-day|presently"
    r"|present(?= (?!at\b|in\b|when\b|for\b)\w)"
    r"|at present|at the moment|at this time|today(?!['’])|nowadays|these days|as of (?:now|today)|to this day"
    r"|(?P<still>still))\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|erstwhile|no longer|in the past|ex(?:-|\b)(?=\s*\w)"
    r"|(?P<habit>(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )used? to))(?=\W|\w|$)",
    re.IGNORECASE,
)
_ANYMORE = re.compile(
    r"\b(?P<not>(?:do|does|is|are)(?:n['’]t| not)|not|never)\b(?=.*\b(?P<more>any ?more|any longer)\b)", re.IGNORECASE
)


_END_WORDS = frozenset(
    words.stem(form) for form in "to until till end ended ending ends left year date time valid finish finished".split()
)
ADJECTIVES = frozenset("current former previous".split())
"""Words of those before a noun."""


def is_told(catalogue: Catalogue) -> bool:
    """Whether edges of the graph tell when they ended."""
    return bool(_ends(one for one in catalogue.properties if one.owner == "edge"))


def _ends(edges: Iterable[Property]) -> list[Property]:
    """The properties that tell the end of edges; a number only where its name says no more than that (to, end year)."""
    found = properties.ends_of(edges)
    return [one for one in found if one.type == "date" or {*properties.stems(one.name)} <= _END_WORDS]


def take(asked: Asked, catalogue: Catalogue) -> None:
    """Take the words by which only what holds still is asked for, or only what no longer does, out of a question.

    They stay where no edge of the graph tells its end, or a relation, kind or property is called so.
    """
    if not is_told(catalogue):
        return
    gone = _ANYMORE.search(asked.rest)
    if gone:
        asked.lasting = f"{gone['not']} {gone['more']}"
        asked.rest = words.blanked(words.blanked(asked.rest, *gone.span("more")), *gone.span("not"))
        asked.still = False
        return
    for pattern, still in ((_PAST, False), (_NOW, True)):
        for found in pattern.finditer(asked.rest):
            said = found[0].strip(" -")
            if is_named(catalogue, said) or (still and found["still"] and asked.state):
                continue
            if _is_of_flag(asked.rest[found.end() :], catalogue):  # no longer active, where active is told
                continue
            asked.rest = words.blanked(asked.rest, *found.span())
            asked.lasting, asked.still = asked.lasting or said, still
        if asked.lasting:
            return


def _is_of_flag(follows: str, catalogue: Catalogue) -> bool:
    """Whether the next word is the name of a property that says yes or no."""
    after = [words.stem(token.form) for token in words.tokens(follows)[:1]]
    return any(one.type == "bool" and properties.stems(one.name) == after for one in catalogue.properties)


def hold(draft: Draft) -> None:
    """Only answers by an edge that has not ended, or by one that has; all where the edges tell no end."""
    asked = draft.asked
    ends = _ends(one for one in draft.known if one.owner == "edge") if asked.lasting else []
    names = {one.name: one for one in ends}
    for name, one in names.items():
        today = _today(one)
        if asked.still:
            draft.hold(name, "missing")
            for compare in ("=", ">"):
                draft.hold(name, compare, value=today, either=True)
        else:
            draft.hold(name, "<", value=today)
        not_over = f"{name} missing or not before {today}" if asked.still else f"{name} before {today}"
        draft.reasons.append(f"{not_over}, from: {asked.lasting}")


def _today(one: Property) -> str:
    """The day as a property has it: a year where it is a number."""
    today = date.today()
    return str(today.year) if one.type == "number" else today.isoformat()
