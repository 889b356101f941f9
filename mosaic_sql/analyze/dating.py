"""Dates in a question: what only says what they are compared with, whose they are, and numbers that are names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import asking, counting, lexicon, properties
from mosaic_sql.analyze.drafting import Draft, kinds_in, stems_of
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Property, Target


def without_compared(draft: Draft) -> str:
    """The rest of the question without the words that only say what a date or a number is compared with.

    They speak for no step: released after 1990, where the year is a node, or published after 1990, where it is none;
    more than 500,000 inhabitants, where a relation leads to their number.
    """
    rest = _without_numbers(draft)
    if all(bound.kind != "date" for bound in draft.asked.bounds):
        return rest
    relations = [one for one in draft.catalogue.properties if one.owner == "relation"]
    found = properties.date(stems_of(rest), relations)
    own, label = (properties.stems(found.name), lexicon.label(found.name).families) if found else ([], {})
    tokens = words.tokens(rest)
    forms, families = [token.form for token in tokens], lexicon.lexicon().families
    for place, token in enumerate(tokens):
        verbs = [one for one in lexicon.entries_at(forms, place) if one.role == "verb"]
        ends = [place + len(one.forms) for one in verbs if one.family in label]
        ends += [place + len(one.forms) for one in verbs if families[one.family].asks == "when"]
        end = max(ends, default=place + 1)
        alone = any(one.family in label for one in verbs) or _stands_alone(draft, tokens, end)
        if (ends and alone) or any(words.alike(words.stem(token.form), stem) for stem in own):
            rest = words.blanked(rest, token.start, tokens[end - 1].end)
    return rest


def _without_numbers(draft: Draft) -> str:
    """The rest of the question without the words for the numbers that a relation leads to, and that are compared."""
    rest = draft.asked.rest
    numbers = [one for one in draft.catalogue.properties if one.owner == "relation" and one.type == "number"]
    for bound in draft.asked.bounds if numbers else ():
        found = properties.by_noun(bound.noun, numbers) if bound.kind == "number" and bound.noun else None
        if bound.kind == "number" and not bound.noun:
            found = properties.mentioned(stems_of(rest), numbers, ("number",))
        own = {bound.noun.lower(), *properties.stems(found.name)} if found else set[str]()
        for token in words.tokens(rest):
            if {token.form, words.stem(token.form)} & own:
                rest = words.blanked(rest, token.start, token.end)
    return rest


def _stands_alone(draft: Draft, tokens: Sequence[words.Token], end: int) -> bool:
    """Whether neither a word nor a name follows the word before `end`, but a cue: published after 1990."""
    last = tokens[end - 1].end
    follows = [token.start for token in tokens[end : end + 1]] + [anchor.char_start for anchor in draft.anchors]
    return all(not last <= start <= last + 1 for start in follows)


def of_another(draft: Draft, found: Property, asked: Sequence[str]) -> bool:
    """Whether the words name a date that other nodes have and not the one of the answers: authors born after 1950."""
    known = {one.name for one in draft.known}
    others = [one for one in draft.catalogue.properties if one.type == "date" and one.name not in known]
    named = properties.named(asked, [one for one in others if one.owner == "node"])
    return bool(named) and not properties.named(asked, [found])


def of_verb(draft: Draft, bound: asking.Bound) -> list[Property]:
    """The properties that may be compared with a date: those of what is said to be done then, where that is told.

    Tested after 2010 is no matter of when a thing was approved; none where no property speaks of the verb. A verb of
    the walk, and one of a time (released, founded), leaves the likeliest date.
    """
    done = _done_before(draft, bound.place)
    stem, known = words.stem(done), draft.known
    if not done or stem in draft.spoken or stem in GOING_ON | BEGUN | OVER | properties.time_verbs(draft.asked.rest):
        return known
    families = {entry.family for entry in lexicon.entries_at([done], 0)}
    told = {one.name for one in properties.named([stem], known)}
    told |= {one.name for one in known if families & set(lexicon.label(one.name).families)}
    return [one for one in known if one.name in told] or [
        one for one in known if one.owner == "edge" or set(properties.stems(one.name)) <= _PLAIN
    ]


def _done_before(draft: Draft, place: int) -> str:
    """The last word before a place that says what is done to things; not one before their noun: approved drugs."""
    forms = [token.form for token in words.tokens(draft.asked.rest[: max(0, place)])]
    pairs = zip(forms, [*forms[1:], "it"], strict=True) if forms else ()
    done = [(form, follows) for form, follows in pairs if form not in FUNCTION and counting.is_participle(form)]
    said = [form for form, follows in done if not kinds_in(follows, draft.catalogue)]
    return said[-1] if said else ""


def beside(text: str, pattern: str | None) -> str:
    """A text without the verbs that speak of a relation of the pattern, where others tell a time: born in A, died."""
    steps = patterns.parse(pattern).transitions if pattern else ()
    walked = lexicon.families_of(one.relation for one in steps if one.relation)
    rest = text
    for token in words.tokens(text):
        verbs = {one.family for one in lexicon.entries_at([token.form], 0) if one.role == "verb"}
        if verbs & walked and properties.time_verbs(token.form):
            rest = words.blanked(rest, token.start, token.end)
    return rest if properties.time_families(rest) else text


def tells(text: str, dates: Sequence[Property]) -> bool:
    """Whether a verb speaks of what one of some dates is the date of: founded before 1990."""
    said = properties.time_families(text)
    return any(not lexicon.label(one.name).families.keys().isdisjoint(said) for one in dates)


def is_possessor(question: str, anchor: Target) -> bool:
    """Whether a number is the name of what something is of: the author of 1984; not a year, as in the films of 1984."""
    before = re.search(r"(\w+)\s+of\s+$", question[: anchor.char_start])
    own = [stem for kind in anchor.kinds for stem in properties.stems(kind)]
    return before is not None and not asking.is_plural(before[1]) and words.stem(before[1].lower()) not in own


_PLAIN = frozenset(words.stem(form) for form in ("year", "date", "time", "season"))
_HOW = {"=": "{}", "<": "before {}", ">": "after {}", "<=": "until {}", ">=": "since {}", "between": "{} to {}"}


BEGUN = frozenset(
    words.stem(form) for form in "join joined start started begin began become became enter entered".split()
)
"""Stems of verbs that speak of a start alone."""
OVER = frozenset(words.stem(form) for form in "leave left end ended quit stop stopped finish finished".split())
"""Stems of verbs that speak of an end alone."""
GOING_ON = frozenset(
    words.stem(form)
    for form in "run ran running active ongoing going underway progress last lasted take took place".split()
)
"""Stems of words for what goes on at a time."""


def turn(draft: Draft) -> Property | None:
    """The start or the end of the last edges, where a verb speaks of that: joined in 1981, left in 1990."""
    asked = {*stems_of(draft.asked.rest)}
    edges = [one for one in draft.known if one.owner == "edge"]
    for verbs, ends in ((BEGUN, properties.starts(edges)), (OVER, properties.ends_of(edges))):
        if asked & verbs and ends:
            return ends[0]
    return None


def during(draft: Draft, bound: asking.Bound) -> str:
    """The time for which the last edges are to hold: a member in 1981. Empty where a date of the answers is meant.

    That is so where words name one, or a verb speaks of one (born, founded), or the edges have but one date, compared
    as any other.
    """
    edges = [one for one in draft.known if one.owner == "edge"]
    dates = [one for one in draft.known if one.owner != "edge" and one.type == "date"]
    asked, verbs = stems_of(draft.asked.rest), properties.time_verbs(draft.asked.rest) - {*draft.spoken}
    if not properties.interval(edges) or properties.named(asked, dates) or (verbs and dates):
        return ""
    if not properties.is_spell(edges) and any(one.type == "date" for one in edges) and not dates:
        return ""
    return _HOW[bound.compare].format(bound.value, bound.high)


def spell(known: Sequence[Property], text: str) -> tuple[Property, Property] | None:
    """The start and the end that nodes have, where a time is asked in which they go on; None where a date is named.

    So it is where no verb speaks of what happens at a time (founded), or of a start or an end alone.
    """
    own = [one for one in known if one.owner == "node"]
    starts, ends = properties.starts(own), properties.ends_of(own)
    asked = {*stems_of(text)}
    dates = [one for one in own if one.type == "date"]
    if not (starts and ends) or asked & (BEGUN | OVER) or properties.named([*asked], dates):
        return None
    return None if properties.time_verbs(text) else (starts[0], ends[0])


def hold_spell(draft: Draft, bound: asking.Bound, ends: tuple[Property, Property]) -> bool:
    """Only answers that went on at some time of a date or between two; False for what is before or after one."""
    if bound.compare not in ("=", "between") or bound.either or any(one.either for one in draft.asked.bounds):
        return False
    start, end = ends
    draft.hold(start.name, "<=", value=bound.high or bound.value)
    draft.hold(end.name, ">=", value=bound.value)
    draft.hold(end.name, "missing", either=True)
    draft.reasons.append(f"{start.name} to {end.name} meets {bound.value}, from: {' '.join(bound.words.split())}")
    return True
