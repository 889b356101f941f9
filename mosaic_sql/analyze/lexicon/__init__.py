"""Word families of general English: which words speak of one relation, and what a relation's name says of its ends.

`families.txt`, `verbs.txt`, `demonyms.txt`, `others.txt` and `units.txt` are data; their format stands at their top.
Nothing here knows a graph or a data set.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from mosaic_sql import text as words

Role = Literal["verb", "one", "other"]
"""A verb; a noun for the one end (what the relation's name stands for); a noun for the other end (what has it)."""

ASKS = ("who", "where", "when", "what", "many")
"""What the one end of a family may answer to."""
LIGHT = frozenset(words.stem(word) for word in "place date year time name number type kind list in".split())
"""Words of a relation's name that tell little on their own."""
SHARE_OF_LIGHT = 0.3
_DOER = ("er", "ers", "or", "ors", "dent", "dents", "dant", "dants", "dency", "dencies")
"""How nouns for who does something end, and what is done: a dependent, a dependency."""
_DOING = re.compile(r"(?P<does>\w{2,})(?:er|or)s?|(?P<is>\w+d)[ea]nts?")
_ONE_WAY = frozenset(map(words.stem, ("know", "befriend")))
"""Words of families that hold both ways which do not say so themselves."""
_FUNCTION = words.STOP_WORDS - {"about", "also"}
_PLACE = re.compile(r"(?:ed|en|held|made|built|found|kept|sung|won|sold) (?:in|at|on)$")
_PLACED = frozenset("at for in on with to".split())
_ENTITY_CODE = re.compile(r"^[PpQq]_?\d+[\s_:.-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LAST_PART = re.compile(r"[^/#]+(?=[/#]?$)")


@dataclass(frozen=True)
class Entry:
    """A word or phrase of a family: its words, what it is, and for a verb its mark (see families.txt)."""

    family: str
    role: Role
    forms: tuple[str, ...]
    mark: str = ""

    def stands_in(self, forms: Sequence[str], place: int) -> bool:
        """Whether its words, inflected or not, stand in `forms` from `place` on."""
        following = forms[place : place + len(self.forms)]
        if len(following) < len(self.forms):
            return False
        same = is_verb if self.role == "verb" else is_noun
        return same(following[0], self.forms[0]) and all(map(is_noun, following[1:], self.forms[1:]))


@dataclass(frozen=True)
class Family:
    """What a family answers to (who, where, when, what, many) and whether its two ends are alike.

    `mutual` is of those whose edges hold both ways, however they are stored.
    """

    name: str
    asks: str
    symmetric: bool
    together: bool
    mutual: bool


@dataclass(frozen=True)
class Lexicon:
    """All families, and their entries by first stem, longest first."""

    families: dict[str, Family]
    entries: dict[str, tuple[Entry, ...]]


@dataclass(frozen=True)
class Label:
    """A relation's name read as English.

    `stems` are its content words; `families` maps a family to whether the *target* is its one end; `one_is_target` says
    so for the name itself (`director`, `directed_by` and `born_in` are True, `directs` and `member_of` False).
    `certain` is False where the form of the name does not tell. `named` are the families whose nouns its ends are
    called by: not those that only share a verb of place with others (located in). A `phrase` is a passive that names
    what it leads to (also bought item): it is said along the edge.
    """

    stems: tuple[str, ...]
    one_is_target: bool
    certain: bool
    families: dict[str, bool]
    named: frozenset[str] = frozenset()
    phrase: bool = False

    def weight(self, stem: str) -> float:
        """How much of the name a stem is, in [0, 1]."""
        each = {own: SHARE_OF_LIGHT if own in LIGHT else 1.0 for own in self.stems}
        return each.get(stem, 0.0) / max(1e-9, sum(each.values()))


@lru_cache(maxsize=1 << 14)
def roots(form: str) -> frozenset[str]:
    """The stems a word form may have: its own, and that of its verb where it is an irregular form."""
    base = _irregular().get(form)
    return frozenset((words.stem(form), words.stem(base))) if base else frozenset((words.stem(form),))


def base(form: str) -> str:
    """The base form of an irregular verb's form; any other form as it is."""
    return _irregular().get(form, form)


def is_noun(form: str, noun: str) -> bool:
    """Whether a form is a noun in the singular or the plural."""
    return form == noun or not words.singulars(form).isdisjoint(words.singulars(noun))


def is_verb(form: str, verb: str) -> bool:
    """Whether a form is one of a verb, and not the noun of who does it."""
    if form == verb:
        return True
    doer = form.endswith(_DOER) and not verb.endswith(_DOER)
    return not doer and words.stem(verb) in roots(form)


def is_doer(form: str, verb: str) -> bool:
    """Whether a word may be the noun for who does what a verb says: callers, of calls."""
    return not doer_of(form).isdisjoint(roots(verb))


def doer_of(form: str) -> frozenset[str]:
    """The stems of the verbs that a noun for who does it may be made of: call of callers, depend of dependents."""
    found = _DOING.fullmatch(form)
    if found is None:
        return frozenset()
    verb = found["does"] or found["is"]
    single = {verb[:-1]} if verb[-1] == verb[-2] else set[str]()
    return frozenset(words.stem(one) for one in {verb, f"{verb}e", *single})


@cache
def lexicon() -> Lexicon:
    """The families, read once."""
    families: dict[str, Family] = {}
    entries: list[Entry] = []
    for line in _lines("families.txt"):
        name, verbs, one, other, asks = (part.strip() for part in line.split("|"))
        told = asks.split()
        families[name] = Family(
            name,
            told[0] if told[:1] and told[0] in ASKS else "what",
            symmetric=not {"symmetric", "mutual"}.isdisjoint(told),
            together="together" in told,
            mutual="mutual" in told,
        )
        for verb in _listed(verbs):
            mark = verb[0] if verb[0] in "<-~" else ""
            entries.append(Entry(name, "verb", _forms(verb.lstrip("<-~")), mark))
        entries += [Entry(name, "one", _forms(noun)) for noun in _listed(one)]
        entries += [Entry(name, "other", _forms(noun)) for noun in _listed(other)]
    by_first: dict[str, list[Entry]] = {}
    for entry in entries:
        by_first.setdefault(words.stem(entry.forms[0]), []).append(entry)
    return Lexicon(
        families, {first: tuple(sorted(own, key=lambda e: -len(e.forms))) for first, own in by_first.items()}
    )


def entries_at(forms: Sequence[str], place: int) -> list[Entry]:
    """Entries whose words stand in `forms` from `place` on."""
    known = lexicon().entries
    return [
        entry
        for first in sorted(roots(forms[place]))
        for entry in known.get(first, ())
        if entry.stands_in(forms, place)
    ]


def parts(name: str) -> list[str]:
    """The words of a relation's or a kind's name, in lower case, whatever the style it is written in."""
    name = _ENTITY_CODE.sub("", name.strip())
    arrow = [part for part in re.split(r"\s+[-–>]+\s+", name) if part.strip()]
    name = arrow[1] if len(arrow) == 3 else name
    last = _LAST_PART.search(name) if "/" in name or "#" in name else None
    name = last.group() if last else name
    name = name.rsplit(".", 1)[-1] if re.fullmatch(r"[\w]+(\.[\w]+){2,}", name) else name
    name = name.rsplit(":", 1)[-1] if re.fullmatch(r"\w+:\w+", name) else name
    return [token.form for token in words.tokens(_CAMEL.sub(" ", name))]


def families_of(relations: Iterable[str]) -> frozenset[str]:
    """The word families that the names of some relations speak of."""
    return frozenset(family for relation in relations for family in label(relation).families)


def speaks_of(forms: Sequence[str], relations: Iterable[str], roles: Collection[str] = ()) -> bool:
    """Whether words are of a family that the name of one of some relations speaks of, in some roles or in any."""
    families = {entry.family for entry in entries_at(forms, 0) if not roles or entry.role in roles}
    return bool(families) and not families.isdisjoint(families_of(relations))


@lru_cache(maxsize=1 << 14)
def is_mutual(name: str) -> bool:
    """Whether what a relation's name says holds both ways: borders, competes with, friend of; not likes, nor knows."""
    forms, said = parts(name), list[Entry]()
    for place in range(len(forms)):
        entries = [entry for entry in entries_at(forms, place) if entry.role != "other"]
        longest = max((len(entry.forms) for entry in entries), default=0)
        said += [entry for entry in entries if len(entry.forms) == longest]
    known, families = label(name).families, lexicon().families
    own = [(families[entry.family], entry.role) for entry in said if entry.family in known]
    one_way = not _ONE_WAY.isdisjoint(root for form in forms for root in roots(form))
    both = all(one.symmetric for one, role in own if role == "verb")  # a competitor may be that of an event too
    return any(one.mutual for one, _ in own) and both and not one_way


@lru_cache(maxsize=1 << 14)
def label(name: str) -> Label:
    """Read the name of a relation."""
    forms = parts(name)
    forms = forms[1:] if len(forms) > 1 and forms[0] in ("has", "have", "is", "was") else forms
    content = [form for form in forms if form not in _FUNCTION] or forms
    own = {words.stem(form): SHARE_OF_LIGHT if words.stem(form) in LIGHT else 1.0 for form in content}
    said: dict[str, set[str]] = {}
    ends: dict[str, bool] = {}
    loose, acts, done = set[str](), set[str](), set[str]()  # families by a verb of place, by one of the one end
    for place in range(len(forms)):
        inflected = re.search(r"[^s]s$|ed$|ing$", forms[place])  # treats is a verb first, a bare word a noun
        for entry in sorted(entries_at(forms, place), key=lambda e: (e.role == "verb") != bool(inflected)):
            end = place + len(entry.forms)
            if not _may_name(entry, forms, end, inflected=bool(inflected)):
                continue
            said.setdefault(entry.family, set()).update(map(words.stem, forms[place:end]))
            place_verb = entry.mark == "-" and lexicon().families[entry.family].asks == "where"
            loose |= {entry.family} if place_verb else set()
            ends.setdefault(entry.family, _one_is_target(entry, forms, end))
            acts |= {entry.family} if entry.role == "verb" and not entry.mark and inflected else set()
            done |= {entry.family} if entry.role == "verb" and not entry.mark else set()
    total = max(1e-9, sum(own.values()))
    shares = {family: sum(own.get(stem, 0.0) for stem in stems) / total for family, stems in said.items()}
    least = min(0.99, max(shares.values(), default=1.0))
    kept = {family: ends[family] for family in sorted(shares) if shares[family] >= least > 0}
    kept = _at_home(_placed(kept, forms, done - loose), forms)
    one_is_target, certain = _by_form(forms)
    if kept and not certain:
        one_is_target = all(kept[family] for family in acts & set(kept)) if acts & set(kept) else any(kept.values())
    named = frozenset(set(kept) - (loose if len(loose & set(kept)) > 1 else set()))
    passive = any(form.endswith("ed") or form in irregular_forms() for form in content[:-1])
    passive = passive and not any(entry.role == "one" for entry in entries_at(forms, len(forms) - 1))
    phrase = "after" in forms or (passive and not set(forms) & {"by", "in", "at", "with", "of", "to", "under", "from"})
    return Label(tuple(own), one_is_target, certain, kept, named, phrase)


def _placed(ends: dict[str, bool], forms: Sequence[str], done: set[str]) -> dict[str, bool]:
    """Families without those of who does it, where a name is of a place: held in does not lead to who holds it."""
    if not _PLACE.search(" ".join(forms)):
        return ends
    return {family: end for family, end in ends.items() if family not in done} or ends


def _at_home(ends: dict[str, bool], forms: Sequence[str]) -> dict[str, bool]:
    """Families without those whose other end is called so, where a name is of a place: a country is no king's then."""
    entries = entries_at(forms, 0) if forms else []
    whole = [entry for entry in entries if len(entry.forms) == len(forms) and entry.role != "verb"]
    places = {
        entry.family for entry in whole if entry.role == "one" and lexicon().families[entry.family].asks == "where"
    }
    others = {entry.family for entry in whole if entry.role == "other"} - {e.family for e in whole if e.role == "one"}
    return {family: end for family, end in ends.items() if not (places and family in others)}


def _may_name(entry: Entry, forms: Sequence[str], end: int, *, inflected: bool) -> bool:
    """Whether a relation may be called by an entry whose words end before `end` in its name."""
    asks, after = lexicon().families[entry.family].asks, forms[end : end + 1]
    if entry.role == "other" and _is_noun_in(forms):
        return asks == "where"  # city in: from a city to its country, and not to who leads one
    start = end - len(entry.forms)
    if entry.role == "other" and start > 0 and forms[start - 1] == "of":
        return False  # the language of a work is no word for who wrote it
    if entry.role == "other" and asks != "who":
        return False  # a book has a rating, but `book` is no name for that
    if entry.role == "other" and inflected and _PLACED.intersection(after):
        return False  # works at is no work
    return not (after == ["by"] and asks in ("when", "where"))  # founded by somebody, not at a time


def _is_noun_in(forms: Sequence[str]) -> bool:
    """Whether a name says what it leads from, and in what that is: city in."""
    return len(forms) == 2 and forms[1] == "in" and words.is_kind_word(forms[0])


def _one_is_target(entry: Entry, forms: Sequence[str], end: int) -> bool:
    """Whether a relation named so leads to the one end of the entry's family."""
    after = forms[end] if end < len(forms) else ""
    if entry.role != "verb":
        if after == "by":
            return True
        if _is_noun_in(forms):
            return entry.role == "other"
        flips = after == "of" and end == len(forms) - 1
        return (entry.role == "one") != flips
    passive = after == "by" or (forms[end - 1].endswith(("ed", "en")) and after in ("by", "in", "with", "at", "from"))
    if entry.mark == "-":
        return True
    if entry.mark == "<":
        return not passive or after == "by"
    if entry.mark == "~":
        return after != "in"
    return passive or forms[end - 1].endswith("en")  # written leads to who writes; wrote, influenced to the other


def _by_form(forms: Sequence[str]) -> tuple[bool, bool]:
    """Whether the one end is the target by the form of a name alone, and whether that is sure."""
    last = forms[-1] if forms else ""
    if last == "by":
        return True, True
    if last == "of":
        return False, True
    if len(forms) == 1 and re.search(r"[^s]s$", last) and last not in _FUNCTION:
        return False, False  # treats, causes; or a plural
    if len(forms) == 2 and re.search(r"[^s]s$", forms[0]) and last in ("to", "for", "with"):
        return False, False  # reports to, works for
    return True, False


def _forms(phrase: str) -> tuple[str, ...]:
    return tuple(token.form for token in words.tokens(phrase))


def _listed(column: str) -> list[str]:
    return [part.strip() for part in column.split(",") if part.strip()]


def irregular_forms() -> frozenset[str]:
    """Forms of irregular verbs that are no base form."""
    return frozenset(_irregular())


@cache
def _irregular() -> dict[str, str]:
    """Form -> base of irregular verbs."""
    return {form: base for base, *others in map(str.split, _lines("verbs.txt")) for form in others}


def demonyms(key: str) -> tuple[str, ...]:
    """The look-up forms that say the same of a place: of `swiss` or of `switzerland` both; empty for what is none."""
    return _demonyms().get(key, ())


@cache
def _demonyms() -> dict[str, tuple[str, ...]]:
    groups = [tuple(_listed(line.replace("|", ","))) for line in _lines("demonyms.txt")]
    return {word: group for group in groups for word in group}


def others(form: str) -> tuple[str, ...]:
    """What a node may be called that a word in small letters stands for (women: female); empty for none."""
    return _others().get(form, ())


@cache
def _others() -> dict[str, tuple[str, ...]]:
    groups = [line.split("|") for line in _lines("others.txt")]
    return {form: tuple(_listed(names)) for names, forms in groups for form in _listed(forms)}


def unit(form: str) -> str:
    """The unit of measure that a word in small letters says, by its first form; empty for what is none."""
    return _units().get(form, "")


def converted(value: float, unit: str, other: str) -> float | None:
    """An amount in another unit of measure, rounded to twelve digits; None where the two measure different things."""
    (rate, base), (others, of_other) = (_rates().get(name, (1.0, name)) for name in (unit, other))
    return float(f"{value * rate / others:.12g}") if base == of_other else None


@cache
def _units() -> dict[str, str]:
    groups = [_listed(",".join(line.split("|")[:2])) for line in _lines("units.txt")]
    return {form: group[0] for group in groups for form in group}


@cache
def _rates() -> dict[str, tuple[float, str]]:
    """Of each unit that is so many of another: how many, and of which."""
    told = [[part.strip() for part in line.split("|")] for line in _lines("units.txt")]
    return {name: (float(rate.split(" ", 1)[0]), rate.split(" ", 1)[1]) for name, _, *more in told for rate in more}


def _lines(name: str) -> list[str]:
    text = (files("mosaic_sql.analyze.lexicon") / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
