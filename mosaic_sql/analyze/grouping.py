"""How many there are for each value of a property: albums per genre, which genre has the most albums by A.

The words that ask for it are taken out of the question; what is left (albums by A) is read as ever, and tells what is
counted. A noun that names a kind or a relation is none of these: its nodes are counted by edges (`counting`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, fitting, properties
from mosaic_sql.analyze.amounts import N, number
from mosaic_sql.analyze.drafting import Draft, Group, Plan, blank
from mosaic_sql.analyze.families import SUPERLATIVES
from mosaic_sql.records import Catalogue, Property, Target

_THERE = frozenset(words.stem(form) for form in "exist exists total altogether overall different".split())
_LONGEST = 4
"""Words, at most, of the noun for a property."""
_N = rf"(?:{N})(?= )"
_EACH = re.compile(r"(?:\b(?:for|of|in|by|from|within|across|with) )?\b(?:per|each|every) $", re.IGNORECASE)
_BY = re.compile(r"\b(?:(?:grouped|group|broken down|split|counted) )?by (?:the |their )?$", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:how many|numbers? of|count|counts of|counted|group(?:ed)? by|broken down|split)\b", re.I)
_ENDS = re.compile(r"\W*(?:$|,|(?:for|of|in|that|which|among)\b)", re.IGNORECASE)
_OFTEN = frozenset("often frequent common times".split())
_COMMON = re.compile(
    rf"(?:\bthe )?(?:\b(?P<n>{_N}) )?\b(?P<way>most|least) (?:common|frequent|usual|prevalent) (?P<kind>\w+ )?$", re.I
)
_ASKED = re.compile(rf"\b(?:(?:which|what)(?: are| is)?|the|top|name|list)(?: the)?(?: top)? (?P<n>{_N} )?$", re.I)
_MOST = re.compile(
    r"(?:\b(?:has|have|had|with|having|that (?:has|have|had)|are|is) +)?\b(?:(?<!at )the )?(?<!at )"
    r"(?P<way>most|fewest|least)(?: of(?: the)?)? (?=(?P<noun>\w+))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^ *(?:(?:ordered|sorted|ranked|order|sort|rank) )?by (?:the |their )?(?:number|count) of (?=\w)", re.IGNORECASE
)
_HAVE = re.compile(r"^ *(?:has|have|had|with|having|that (?:has|have|had)|contain\w*) *(?=\w)", re.IGNORECASE)


@dataclass(frozen=True)
class _Place:
    """Where a question names a property; `text` is the question with its names blanked out."""

    name: str
    question: str
    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        """What stands before the name."""
        return self.text[: self.start]

    @property
    def after(self) -> str:
        """What stands after the name."""
        return self.text[self.end :]

    def group(self, *spans: tuple[int, int]) -> Group:
        """All values of the property; the words at `spans`, in characters, asked for them."""
        said = " ".join(" ".join(self.text[start:end] for start, end in spans).split())
        rest = self.question
        for start, end in spans:
            rest = words.blanked(rest, start, end)
        return Group(self.name, said, rest)


def find(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> Group | None:
    """What a question with some names asks to be counted for each value of a property; None where it asks no such."""
    text = blank(question, anchors)
    for name, start, end in _named(text, catalogue):
        place = _Place(name, question, text, start, end)
        for read in (_of_each, _most_common, _with_most, _with_so_many, _by_number):
            found = read(place)
            if found is not None:
                return found
    return None


def hold(draft: Draft) -> None:
    """The values of what the answers have, each with how many have it."""
    group = draft.group
    if group is None:
        return
    known = [one for one in draft.known if one.name == group.name and one.owner in ("node", "edge")]
    asked = draft.asked
    if not known or asked.sort or asked.overall or asked.often or "having" in draft.refine or _left(draft):
        return
    draft.refine.update(attribute=known[0].name, attribute_owner=known[0].owner, row_per="value")
    chosen = {"descending": group.descending, "extreme": group.extreme, "limit": group.limit, "having": group.compare}
    usual = {"descending": True, "extreme": False, "limit": None, "having": "none"}
    draft.refine.update({name: value for name, value in chosen.items() if value != usual[name]})
    if group.compare != "none":
        draft.refine["having_count"] = group.count
    draft.reasons.append(f"how many for each {group.name}, from: {group.words}")


def _left(draft: Draft) -> list[str]:
    """The words that narrow what is counted, and that neither the walk nor a filter answers to."""
    asked = draft.asked
    said = {stem for kind in draft.kinds for stem in (*properties.stems(kind), *words.like_kind(kind))}
    said |= {words.stem(bound.noun) for bound in asked.bounds if bound.noun}
    said |= properties.time_verbs(asked.rest) if asked.bounds else set()
    return [form for form in draft.unread() if fitting.is_telling(form) and words.stem(form) not in said | _THERE]


def told(group: Group, found: Plan | None) -> Plan:
    """A plan of the question without those words; unresolved where it does not lead to such values."""
    if found is not None and found.refine.get("row_per") == "value" and not found.unresolved:
        return found
    reason = (found.unresolved if found else "") or f"how many there are, “{group.words}”, was not understood"
    return Plan(None, (), {}, "", unresolved=reason)


def kind_of(draft: Draft) -> str | None:
    """The only kind whose nodes have the property, where nothing else tells what is counted."""
    if draft.group is None:
        return None
    name = draft.group.name
    labels = {one.label for one in draft.catalogue.properties if one.name == name and one.owner == "node"}
    return labels.pop() if len(labels) == 1 else None


def _named(text: str, catalogue: Catalogue) -> Iterator[tuple[str, int, int]]:
    """The properties of nodes and edges that a text names, with the characters of the name; the longest name first."""
    tokens = words.tokens(text)
    known = [one for one in catalogue.properties if one.owner in ("node", "edge")]
    others = [*catalogue.kinds, *(relation for _, relation in catalogue.relations)]
    taken = [properties.stems(other) for other in others]
    for length in range(_LONGEST, 0, -1):
        for place in range(len(tokens) - length + 1):
            run = tokens[place : place + length]
            own = [words.stem(token.form) for token in run]
            named = _most_told([one for one in known if properties.stems(one.name) == own])
            if named is not None and own not in taken:
                yield named.name, run[0].start, run[-1].end


def _most_told(found: Sequence[Property]) -> Property | None:
    return max(found, key=lambda one: (one.count, one.name), default=None)


def _of_each(place: _Place) -> Group | None:
    """Albums per genre, how many are there of each genre; by genre, where a number is asked for."""
    found = _EACH.search(place.before)
    if found is None and _COUNTED.search(place.text) and _ENDS.match(place.after):
        found = _BY.search(place.before)
    return place.group((found.start(), place.end)) if found else None


def _most_common(place: _Place) -> Group | None:
    """The most common genre, the three most common genres of A's albums."""
    found = _COMMON.search(place.before)
    if found is None:
        return None
    if found["kind"]:  # the most common album genre
        group = place.group((found.start(), found.start("kind")), (place.start, place.end))
    else:
        group = place.group((found.start(), place.end))
    limit = _whole(found["n"])
    one = limit is None and not asking.is_plural(place.text[: place.end].split()[-1])
    return replace(group, descending=found["way"].lower() == "most", extreme=one, limit=limit)


def _with_most(place: _Place) -> Group | None:
    """Which genre has the most albums, in which genre did A make the fewest."""
    asked, most = _ASKED.search(place.before), _MOST.search(place.after)
    if asked is None or most is None or f"{most['way']} {most['noun']}".lower() in SUPERLATIVES:
        return None
    if most["noun"].lower().endswith("ly") or most["noun"].lower() in _OFTEN:
        return None
    group = place.group((asked.start(), place.end), (place.end + most.start(), place.end + most.end()))
    limit = _whole(asked["n"])
    return replace(group, descending=most["way"].lower() == "most", extreme=limit is None, limit=limit)


def _with_so_many(place: _Place) -> Group | None:
    """Which genres have more than two albums."""
    asked, have = _ASKED.search(place.before), _HAVE.search(place.after)
    bounds = [one for one in asking.read(place.after).bounds if one.kind == "number" and one.high is None and one.noun]
    if asked is None or have is None or not bounds or not float(bounds[0].value).is_integer():
        return None
    said = place.after.find(bounds[0].words)
    if not 0 <= said <= have.end():
        return None
    noun = said + bounds[0].words.lower().rfind(bounds[0].noun)
    often = asking.as_often(bounds[0])
    group = place.group((asked.start(), place.end + noun))
    return replace(group, compare=often.compare, count=often.count)


def _by_number(place: _Place) -> Group | None:
    """Genres by number of albums, the top three genres by the number of albums."""
    numbered = _NUMBERED.search(place.after)
    if numbered is None:
        return None
    asked = _ASKED.search(place.before)
    group = place.group((asked.start() if asked else place.start, place.end + numbered.end()))
    return replace(group, limit=_whole(asked["n"]) if asked else None)


def _whole(said: str | None) -> int | None:
    value = number(said) if said and said.strip() else None
    return int(value) if value else None
