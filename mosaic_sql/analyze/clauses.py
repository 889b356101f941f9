"""Noun phrases that describe a thing by its relations: a head, what opens its description, and the conditions named.

    the author      who wrote       Mort   and   Small Gods
    determiner+head opener+words    name         name              two conditions, the second borrows "who wrote"

A reading is made of words and linked names alone; what a word may mean in a schema is told by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mosaic_sql import text as words
from mosaic_sql.records import Target

DETERMINERS = frozenset("the a an any every each all some".split())
RELATIVES = frozenset("who that which whom whose where".split())
PREPOSITIONS = frozenset("of by from in with for at on about to".split())
SUPERLATIVES = frozenset("first second third last latest most least best worst".split())
# Auxiliaries, words that ask, words that say that two things hang together: none of them goes on with a description.
_HELPING = frozenset("is are was were be been do does did has have had can could will would may might".split())
_ASKING = frozenset("what when how why between than".split())
_JOINING = re.compile(
    r"(relat|connect|link|associat)(e|ed|ion|ions|ionship|ionships|s|ing)?|paths?|common|same|shared?"
)
_NAMING = frozenset("called named titled entitled".split())
_PARTICIPLES = frozenset(
    "made sung won held built set shot led run begun known taught sold sent bought brought paid".split()
)
_ALSO = frozenset("also both then".split())
_TO_HEAD = 4
"""Words from a determiner to its head."""
_TO_NAME = 9
"""Words from a head to the first name of its description."""


class Item(NamedTuple):
    """A word of a question, or a name in it that was linked; `parted` where a mark stands before it."""

    form: str
    start: int
    end: int
    target: Target | None = None
    parted: bool = False


@dataclass(frozen=True)
class Condition:
    """What a description says of one or more names: its items in order; `negative` after *but not*."""

    items: tuple[Item, ...]
    negative: bool = False

    @property
    def names(self) -> list[Item]:
        """The names it holds."""
        return [item for item in self.items if item.target]

    @property
    def speaks(self) -> int:
        """How much it says beside its names: 2 by a verb or a noun, 1 by small words (of X), 0 by none.

        The word for a name's kind is part of the name: the book X.
        """
        said = [
            item
            for place, item in enumerate(self.items)
            if not item.target and not (place and self.items[place - 1].form in DETERMINERS and self._names(place + 1))
        ]
        telling = [item for item in said if item.form not in PREPOSITIONS | DETERMINERS | RELATIVES]
        return 2 if telling else 1 if said else 0

    def _names(self, place: int) -> bool:
        return place < len(self.items) and self.items[place].target is not None


@dataclass(frozen=True)
class Phrase:
    """A description as read: items `[first, end)` of the question, of which `head` holds the words of the thing.

    `clause` tells a relative clause from a prepositional phrase, a participle or a possessive; `either` that its
    conditions are joined by *or*; `values` are the words of conditions on dates and numbers that end it.
    """

    first: int
    end: int
    head: tuple[Item, ...]
    conditions: tuple[Condition, ...]
    clause: bool
    either: bool = False
    values: str = ""

    @property
    def names(self) -> list[Item]:
        """All names it holds, in order."""
        return [item for condition in self.conditions for item in condition.names]


def items(question: str, anchors: Sequence[Target]) -> list[Item]:
    """The words of a question in order, each linked name one item, a comma an item too."""
    found: list[Item] = []
    for token in words.tokens(question):
        if found and token.start < found[-1].end:
            continue
        named = next((a for a in anchors if a.char_start <= token.start < a.char_end), None)
        gap = question[found[-1].end : token.start] if found else ""
        if gap.strip() == ",":
            found.append(Item(",", found[-1].end, found[-1].end + 1))
        parted = bool(re.search(r"[?!;:.]", gap))
        if named:
            found.append(Item("", named.char_start, named.char_end, named, parted))
        else:
            found.append(Item(token.form, token.start, token.end, None, parted))
    return found


class Reader:
    """Reads the description that begins at an item, if one does.

    `known` tells whether a word names a kind or a relation of the schema. Where not `coordinate`, a bare name after
    *and* is no further condition: it is a thing of its own. `adjectives` open one without a determiner: former members.
    """

    def __init__(
        self,
        question: Sequence[Item],
        known: Callable[[str], bool],
        *,
        coordinate: bool = True,
        adjectives: frozenset[str] = frozenset(),
    ) -> None:
        self._items = question
        self._known = known
        self._adjectives = adjectives
        self._coordinate = coordinate

    def read(self, place: int) -> Phrase | None:
        """The description whose determiner, or whose possessor, stands at `place`."""
        item = self._items[place]
        if item.target:
            return self._possessive(place)
        bare = item.form in self._adjectives and self._form(place - 1) not in DETERMINERS
        if item.form not in DETERMINERS and not bare:
            return None
        for head in range(place + 1, min(place + 1 + _TO_HEAD, len(self._items) - 1)):
            if not self._plain(head) or self._is_verb(head, place):
                return None
            opened = self._opened(head + 1)
            if opened is None:
                continue
            clause, start = opened
            conditions, end, either = self._conditions(start, clause=clause)
            held = tuple(self._items[place + (not bare) : head + 1])
            return Phrase(place, end, held, tuple(conditions), clause, either) if conditions else None
        return None

    def _plain(self, place: int) -> bool:
        """Whether a word may stand in a noun phrase before its description."""
        form = self._form(place)
        closed = DETERMINERS | RELATIVES | PREPOSITIONS | _HELPING | _ASKING | {"", ",", "and", "or", "s"}
        return form not in closed and not _JOINING.fullmatch(form) and not self._parted(place)

    def _is_verb(self, place: int, first: int) -> bool:
        """Whether a word behind the noun for a thing, in the plural, is what it does: the books belong."""
        before, form = self._form(place - 1), self._form(place)
        plural = before.endswith("s") and not before.endswith("ss")
        return place - 1 > first and plural and self._known(before) and not self._known(form)

    def _possessive(self, place: int) -> Phrase | None:
        """A name, `'s` and a word, once or more: Heat's director's films; not one of two that share them."""
        if self._form(place - 1) == "and" and self._form(place - 2) == "s":
            return None
        end = place + 1
        while self._form(end) == "s" and self._plain(end + 1):
            end += 2
        if end == place + 1:
            return None
        return Phrase(place, end, (), (Condition(tuple(self._items[place:end])),), clause=False)

    def _opened(self, place: int) -> tuple[bool, int] | None:
        """Whether a clause or a phrase opens here, and where its conditions begin; None where nothing opens."""
        form, following = self._form(place), self._form(place + 1)
        if self._parted(place):
            return None
        if form in RELATIVES:
            return True, place if form == "whose" else place + 1
        if form in PREPOSITIONS and following in RELATIVES:
            return True, place + 2
        if form in PREPOSITIONS or self._is_participle(place):
            return False, place
        return None

    def _is_participle(self, place: int) -> bool:
        form = self._form(place)
        leads = self._target(place + 1) or self._form(place + 1) in PREPOSITIONS | DETERMINERS
        if form in _NAMING or _JOINING.fullmatch(form) or not leads:
            return False
        return (len(form) > 4 and form.endswith(("ed", "en", "ing"))) or form in _PARTICIPLES

    def _conditions(self, place: int, *, clause: bool) -> tuple[list[Condition], int, bool]:
        """The conditions from `place` on, where they end, and whether *or* joins them."""
        first = self._to_name(place)
        if first is None:
            return [], place, False
        held = list(self._items[place : first + 1])
        end = self._tail(first + 1, subject=self._is_subject(first))
        held += self._items[first + 1 : end]
        found, either = [Condition(tuple(held))], False
        while going := self._goes_on(end, found, clause=clause):
            joint, start, end = going
            either = either or joint == "or"
            found.append(Condition(tuple(self._items[start:end]), negative=joint == "not"))
        return found, end, either

    def _to_name(self, place: int) -> int | None:
        """The first name within reach, over words that may stand in a description."""
        for following in range(place, min(place + _TO_NAME, len(self._items))):
            form = self._form(following)
            if self._parted(following) or form in _ASKING or _JOINING.fullmatch(form) or form in (",", "and", "or"):
                return None
            if self._target(following):
                return following
        return None

    def _is_subject(self, name: int) -> bool:
        """Whether a name is what acts in its clause: the film that X directed, a verb is still to come."""
        return self._form(name - 1) in RELATIVES - {"whose"}

    def _tail(self, place: int, *, subject: bool) -> int:
        """The end of the verb that follows a subject: auxiliaries, one word, and a preposition left behind."""
        if not subject:
            return place
        verb = place
        while self._form(verb) in _HELPING or self._form(verb) in _ALSO:
            verb += 1
        if not self._plain(verb) or verb >= len(self._items):
            return place
        left = self._form(verb + 1) in PREPOSITIONS and not self._form(verb + 2).isdigit()
        leads = self._target(verb + 2) or self._form(verb + 2) in DETERMINERS
        return verb + 2 if left and not leads else verb + 1

    def _goes_on(self, place: int, found: Sequence[Condition], *, clause: bool) -> tuple[str, int, int] | None:
        """A further condition: what joins it, and its items; None where the description ends."""
        joint, start = self._joint(place)
        if not joint:
            return self._beside(place, clause=clause) if self._coordinate else None
        while self._form(start) in _ALSO:
            start += 1
        name = self._name_near(start)
        if name is not None:
            acts = clause and name == start and found[0].items[0].target is not None
            end = self._tail(name + 1, subject=acts or found[-1].speaks == 0 or self._is_subject(name))
            own = end > name + 1
            shares = self._coordinate and _may_share(found[-1].names[-1], self._items[name])
            return (joint, start, end) if own or shares else None
        return self._verbal(joint, start) if clause else None

    def _name_near(self, place: int) -> int | None:
        """A name at `place`, perhaps behind a preposition, a determiner and the word for its kind: in the film X."""
        place += self._form(place) in PREPOSITIONS | RELATIVES
        if self._form(place) in DETERMINERS:
            place += 1
            if self._known(self._form(place)) and self._target(place + 1):
                place += 1
        return place if self._target(place) else None

    def _verbal(self, joint: str, start: int) -> tuple[str, int, int] | None:
        """A clause of its own after *and*: (who) wrote X and reviewed Y."""
        first = start + (self._form(start) in RELATIVES)
        for place in range(first, first + 4):
            if self._target(place):
                return joint, start, place + 1
            fits = self._form(place) in PREPOSITIONS if place > first else False
            if not (fits or self._plain(place)):
                return None
        return None

    def _beside(self, place: int, *, clause: bool) -> tuple[str, int, int] | None:
        """One more name that a preposition or a participle adds: by X starring Y; that X made with Y."""
        closed = clause and self._target(place - 1) is not None  # who wrote X: what follows is another matter
        fits = (self._form(place) in PREPOSITIONS - {"to", "of"} and not closed) or self._is_participle(place)
        return ("and", place, place + 2) if fits and self._target(place + 1) else None

    def _joint(self, place: int) -> tuple[str, int]:
        """What joins a condition to the one before, and where it begins; empty for nothing."""
        if self._parted(place):
            return "", place
        forms = [self._form(place + ahead) for ahead in range(3)]
        comma = forms[0] == ","
        forms = forms[1:] if comma else forms
        start = place + comma
        if forms[0] in ("and", "or"):
            negative = forms[1] == "not"
            return ("not", start + 2) if negative else (forms[0], start + 1)
        if forms[0] == "but":
            return ("not", start + 2) if forms[1] == "not" else ("and", start + 1)
        return ("and", start) if comma and self._target(start) else ("", place)

    def _form(self, place: int) -> str:
        return self._items[place].form if 0 <= place < len(self._items) else ""

    def _target(self, place: int) -> Target | None:
        return self._items[place].target if 0 <= place < len(self._items) else None

    def _parted(self, place: int) -> bool:
        return not 0 <= place < len(self._items) or self._items[place].parted


def _may_share(one: Item, other: Item) -> bool:
    """Whether two names may stand side by side under one verb: they have a kind in common, or one has none."""
    first = set(one.target.kinds if one.target else ())
    second = set(other.target.kinds if other.target else ())
    return not first or not second or bool(first & second)
