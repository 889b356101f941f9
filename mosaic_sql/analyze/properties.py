"""The properties of a schema that a question's words may mean: by their own name, by a family, by a unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon, schema
from mosaic_sql.analyze.families import TIME, UNITS, Family
from mosaic_sql.records import Catalogue, Property

_OWNERS = ("node", "edge", "relation")
YEARS = frozenset(words.stem(form) for form in ("year", "season"))
"""Stems in the name of a number that is a year."""
_OPENS = frozenset(map(words.stem, ("is", "has", "was")))
_LIFE = frozenset(("birth date", "death date"))
_OF_NUMBERS = frozenset(words.stem(form) for form in "number count amount of the their total in".split())
"""Stems of what says that a number is meant, and not which."""
_STARTS = re.compile(r"\b(start|started|begin|began|from|since)\b")
_ENDS = re.compile(r"\b(ends?|ended|ending|finish|finished|until|till|to|left)\b")


@dataclass(frozen=True)
class Ends:
    """Where a pattern leads to: the kinds of its last nodes, and the relations of its last edges."""

    kinds: frozenset[str]
    relations: frozenset[str]


def ends(pattern: str, kinds: Iterable[str], catalogue: Catalogue) -> Ends:
    """Follow a pattern through the schema from some kinds; all kinds where none is given."""
    automaton = patterns.parse(pattern)
    steps: dict[str, set[tuple[str, bool, str]]] = {}
    for relation, forward, start, end in schema.each_way(catalogue):
        steps.setdefault(start, set()).add((relation, forward, end))
    frontier = {(kind, 0) for kind in (set(kinds) or set(steps))}
    seen, found, last = set(frontier), set[str](), set[str]()
    while frontier:
        reached = set[tuple[str, int]]()
        for kind, state in frontier:
            for transition in automaton.transitions:
                if transition.state != state:
                    continue
                for relation, forward, target in steps.get(kind, ()):
                    if (
                        transition.relation in (None, relation)
                        and transition.forward in (None, forward)
                        and transition.kind in (None, target)
                    ):
                        reached.add((target, transition.next_state))
                        if transition.next_state in automaton.accepting:
                            found.add(target)
                            last.add(relation)
        frontier = reached - seen
        seen |= reached
    return Ends(frozenset(found), frozenset(last))


def of(where: Ends, catalogue: Catalogue) -> list[Property]:
    """The properties of what a pattern leads to: of the nodes, of the edges into them, of relations read as such."""
    return [
        one for one in catalogue.properties if one.label in (where.relations if one.owner == "edge" else where.kinds)
    ]


def of_nodes(kinds: Collection[str], catalogue: Catalogue) -> list[Property]:
    """The properties that nodes of some kinds have themselves."""
    return [one for one in catalogue.properties if one.owner == "node" and one.label in kinds]


def stems(name: str) -> list[str]:
    """The stems of a name written as words, in snake case or camel case."""
    return [words.stem(token.form) for token in words.tokens(_spaced(name).replace("-", " "))]


def unit_of(one: Property) -> str:
    """The unit that ends the name of a number (half_life_hours), by its first form; empty where none does."""
    forms = [token.form for token in words.tokens(_spaced(one.name).replace("-", " "))]
    return lexicon.unit(forms[-1]) if one.type == "number" and len(forms) > 1 else ""


def said_as(one: Property) -> list[str]:
    """The stems of a property's name without the unit that ends it (half_life_hours) or what opens a flag (is_oral)."""
    own = stems(one.name)
    if one.type == "bool":
        own = stems(re.sub(r"(?<=[A-Za-z]{2})(?=\d)", " ", one.name))  # iso9001
        return own[1:] if len(own) > 1 and own[0] in _OPENS else own
    if unit_of(one):
        own = own[:-1]
        return own[:-1] if len(own) > 1 and own[-1] == "in" else own
    return own


def by_family(family: Family, known: Iterable[Property]) -> Property | None:
    """The property of the first word of the family that one bears, among those that have an order."""
    ordered = sorted(
        (one for one in known if one.type in ("number", "date")),
        key=lambda one: (_OWNERS.index(one.owner), len(one.name), -one.count, one.name),
    )
    for word in family:
        wanted = stems(word)
        for one in ordered:
            if set(wanted) <= set(stems(one.name)):
                return one
    return None


def by_noun(noun: str, known: Iterable[Property]) -> Property | None:
    """The property that a noun names, or measures."""
    found = list(known)
    if " " in noun.strip():
        return _by_phrase(noun, found)
    if noun.lower() in UNITS:
        return by_family(UNITS[noun.lower()], found)
    stem = words.stem(noun.lower())
    named = [
        one for one in found if one.type in ("number", "date") and any(words.alike(stem, s) for s in stems(one.name))
    ]
    return min(named, key=lambda one: (_OWNERS.index(one.owner), len(one.name), one.name)) if named else None


def _by_phrase(said: str, known: Iterable[Property]) -> Property | None:
    """The property that all telling words of a phrase name: box office, approval year, number of employees."""
    asked = [stem for stem in stems(said) if stem not in _OF_NUMBERS] or stems(said)
    plain = [stem for stem in asked if stem not in ("year", "date")] or asked
    named = [
        one
        for one in known
        if one.type in ("number", "date") and all(any(words.alike(stem, s) for s in stems(one.name)) for stem in plain)
    ]
    return min(named, key=lambda one: (_OWNERS.index(one.owner), len(one.name), one.name)) if named else None


def mentioned(asked: Sequence[str], known: Iterable[Property], types: Collection[str]) -> Property | None:
    """The property whose words the question holds all of, but for a unit that ends its name; the longest name.

    One that is called by a small word alone (to) is not asked for by that.
    """
    whole = [one for one in known if one.type in types and set(said_as(one)) <= set(asked)]
    whole = [one for one in whole if not set(stems(one.name)) <= words.STOP_WORDS]
    return max(whole, key=lambda one: (len(said_as(one)), one.count, one.name)) if whole else None


def date(asked: Sequence[str], known: Iterable[Property], said: Collection[str] = ()) -> Property | None:
    """The date that a comparison speaks of: one that shares a word with it, or a family of `said`; else the likeliest.

    A birth or a death is no likely date of anything else that is said to happen at a time.
    """
    dates = [one for one in known if one.type == "date" or (one.type == "number" and YEARS & {*stems(one.name)})]
    telling = named(asked, dates) or [
        one for one in dates if not lexicon.label(one.name).families.keys().isdisjoint(said)
    ]
    dates = dates if telling else happening(dates, said)
    if telling:
        return by_family(TIME, telling) or telling[0]
    found = by_family(TIME, dates)
    names = {one.name for one in dates}
    return found or (dates[0] if len(names) == 1 else None)


def happening(known: Iterable[Property], said: Collection[str]) -> list[Property]:
    """Those without births and deaths, where verbs of other families say what happens; all where none says it."""
    own = ((one, lexicon.label(one.name).families.keys()) for one in known)
    return [
        one
        for one, families in own
        if not said or not families.isdisjoint(said) or one.type != "date" or _LIFE.isdisjoint({*said, *families})
    ]


def named(asked: Sequence[str], known: Iterable[Property]) -> list[Property]:
    """The properties that share a telling word with the question."""
    return [
        one
        for one in known
        if any(
            words.alike(stem, word)
            for stem in stems(one.name)
            if stem not in ("year", "date", "in", "of")
            for word in asked
        )
    ]


def time_verbs(text: str) -> frozenset[str]:
    """The stems of verbs that speak of what happens at a time: published, released, founded."""
    return frozenset(words.stem(form) for form, _ in _timed(text))


def time_families(text: str) -> frozenset[str]:
    """The word families of such verbs that are of a time: died is of a death date, and of a death place."""
    return frozenset(family for _, family in _timed(text))


def _timed(text: str) -> Iterator[tuple[str, str]]:
    """(word, family) of the verbs that speak of what happens at a time."""
    families = lexicon.lexicon().families
    forms = [token.form for token in words.tokens(text)]
    for place, form in enumerate(forms):
        for one in lexicon.entries_at(forms, place):
            if one.role == "verb" and families[one.family].asks == "when":
                yield form, one.family


def interval(known: Iterable[Property]) -> bool:
    """Whether some properties can be an interval."""
    return any(
        one.type == "date" or (one.type == "number" and _STARTS.search(one.name.replace("_", " "))) for one in known
    )


def starts(known: Iterable[Property]) -> list[Property]:
    """The properties that tell when something began."""
    return _spoken_as(_STARTS, known)


def ends_of(known: Iterable[Property]) -> list[Property]:
    """The properties that tell when something ended."""
    return _spoken_as(_ENDS, known)


def _spoken_as(said: re.Pattern[str], known: Iterable[Property]) -> list[Property]:
    return [one for one in known if one.type in ("date", "number") and said.search(_spaced(one.name))]


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def is_spell(known: Sequence[Property]) -> bool:
    """Whether some properties tell when something began or ended."""
    return bool(starts(known) or ends_of(known))
