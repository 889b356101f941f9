"""The texts of properties that words of a question say, as they are written or as another word for the same place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon, properties
from mosaic_sql.analyze.clauses import DETERMINERS, PREPOSITIONS
from mosaic_sql.analyze.drafting import Plan, Text
from mosaic_sql.analyze.lasting import ADJECTIVES
from mosaic_sql.analyze.sentence import BE
from mosaic_sql.records import Catalogue, Property, Target

_LONGEST = 3
"""Words, at most, of what is said of a place: South Korean."""


class Phrase(NamedTuple):
    """Things of a kind whose property holds a text: their place in a question, and a question for them alone.

    `counted` tells that the most or the fewest of them are asked for.
    """

    char_start: int
    char_end: int
    asked: str
    counted: bool


@dataclass(frozen=True)
class Texts:
    """The texts of a question, the question without them, and by how much it is longer from which character on.

    `phrases` are the nouns with a text that may stand for things on the way to the answers.
    """

    held: tuple[Text, ...]
    question: str
    shifts: tuple[tuple[int, int], ...]
    phrases: tuple[Phrase, ...] = ()

    def moved(self, targets: Iterable[Target]) -> list[Target]:
        """Targets, where they stand in that question."""
        return [self._by(one, 1) for one in targets]

    def told(self, found: Plan | None) -> Plan | None:
        """A plan of that question as one of the question asked; None where it does not hold answers to the texts."""
        filters = found.refine.get("filters", ()) if found else ()
        values = {item.get("value") for item in filters}
        if found is None or any(values.isdisjoint(text for _, text in one.holders) for one in self.held):
            return None
        return replace(found, targets=tuple(self._by(one, -1) for one in found.targets))

    def _by(self, one: Target, way: int) -> Target:
        place, width = one.char_start, 0
        for start, longer in self.shifts:
            if place - (width if way < 0 else 0) > start:
                width += longer
        return replace(one, char_start=one.char_start + way * width, char_end=one.char_end + way * width)


def runs(tokens: Sequence[words.Token], catalogue: Catalogue) -> list[tuple[int, int, str]]:
    """Runs of words that a property holds, from left to right: (first, end, look-up form)."""
    found = catalogue.texts_in(tokens)
    for length in range(_LONGEST, 0, -1):
        for start in range(len(tokens) - length + 1):
            end, key = start + length, " ".join(token.form for token in tokens[start : start + length])
            free = all(last <= start or end <= first for first, last, _ in found)
            if free and holders(key, catalogue):  # Swiss, where a country is Switzerland
                found.append((start, end, key))
    return sorted(found)


def holders(key: str, catalogue: Catalogue) -> tuple[tuple[Property, str], ...]:
    """The properties that hold a text, or another word for the same place, and how each writes it."""
    found: dict[Property, str] = {}
    for other in (key, *lexicon.demonyms(key)):
        for one, text in catalogue.texts.get(other, ()):
            found.setdefault(one, text)
    return tuple(found.items())


def property_of(one: Text, known: Collection[Property]) -> tuple[str, str] | None:
    """The property of some that holds a text, and how it is written there: one that the words near it name first."""
    held = [(property_, text) for property_, text in one.holders if property_ in known]
    if not held:
        return None
    best, text = min(
        held,
        key=lambda item: (not names(item[0].name, one.near), item[0].owner != "node", -item[0].count, item[0].name),
    )
    return best.name, text


def names(name: str, near: Collection[str]) -> bool:
    """Whether the name of a property shares a word with some stems."""
    return any(words.alike(stem, other) for stem in properties.stems(name) for other in near)


def share(one: Sequence[tuple[Property, str]], other: Sequence[tuple[Property, str]]) -> bool:
    """Whether two texts are held by one property."""
    return bool({held.name for held, _ in one} & {held.name for held, _ in other})


def is_role(forms: Sequence[str], start: int, end: int) -> bool:
    """Whether a run of words is what somebody of something else is asked for as: who was the CEO of A."""
    opened = forms[: _before(forms, start, DETERMINERS | ADJECTIVES)]
    asks = len(opened) > 1 and opened[0] == "who" and all(form in BE for form in opened[1:])
    return asks and end < len(forms) and forms[end] in PREPOSITIONS


def is_done(forms: Sequence[str], start: int, end: int, holders: Sequence[tuple[Property, str]]) -> bool:
    """Whether a run of words is the object of the verb of a relation whose edges hold it: who played the Joker in A."""
    place = _before(forms, start, DETERMINERS)
    relations = [one.label for one, _ in holders if one.owner == "edge"]
    if place < 2 or not relations or not (end == len(forms) or forms[end] in PREPOSITIONS):
        return False
    verb = forms[place - 1]
    own = {stem for relation in relations for stem in properties.stems(relation)}
    named = any(words.alike(words.stem(verb), stem) for stem in own)
    return verb not in BE and (named or lexicon.speaks_of([verb], relations, roles=("verb",)))


def _before(forms: Sequence[str], place: int, small: Collection[str]) -> int:
    """Where small words begin that stand right before a place."""
    while place > 0 and forms[place - 1] in small:
        place -= 1
    return place
