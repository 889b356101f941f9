"""Descriptions in place of names: which part of a question says who or what is meant, and by which conditions.

A description that one chain of relations answers is no business of this module: the pattern of the whole question goes
through it. A step of its own is for what a chain cannot say: two or more names inside ("the author who wrote X and Y"),
a description beside another name ("How is the director of X related to Y?"), a superlative inside ("the oldest film
of X"). That is the nested question of PolyG (arXiv 2504.02112, v2), decomposed without a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, cues, lasting, properties, superlatives, values
from mosaic_sql.analyze.clauses import (
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    SUPERLATIVES,
    Condition,
    Item,
    Phrase,
    Reader,
    items,
)
from mosaic_sql.analyze.drafting import kinds_in
from mosaic_sql.analyze.many import EVERY
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Catalogue, Target

# What may stand beside a description that is all a question asks for.
_BARE = frozenset("who whom what which is are was were name list find show give tell me us please the all of".split())
_JOINING = frozenset(("and", "or", "than", ","))
_PLACED = frozenset("in on at to for with".split())
_DID = frozenset("do does did".split())
_CHOOSING = frozenset("which what many list name show find give".split())
"""Words before the thing that a question asks for itself."""


@dataclass(frozen=True)
class Part:
    """One condition of a description as a question of its own, and the name in it, its place counted in `text`.

    With no name a superlative chooses among all of a kind. `negative` tells that what it finds is to be left out.
    """

    text: str
    target: Target | None
    negative: bool = False


@dataclass(frozen=True)
class Description:
    """A part of a question that stands for nodes: `question[char_start:char_end]`, and the conditions they meet.

    All of the `parts` hold, or any of them where `either`. `known` tells that the schema has a word for the thing
    described; `whole` that the question asks for nothing else.
    """

    text: str
    char_start: int
    char_end: int
    parts: tuple[Part, ...]
    either: bool = False
    known: bool = True
    whole: bool = False


def find(question: str, anchors: Sequence[Target], catalogue: Catalogue, *, chains: bool = False) -> Description | None:
    """The description that needs a step of its own and has to be resolved first; None where there is none.

    Args:
        question: the question.
        anchors: the names of the graph that it means, with their places; a description that was resolved is one.
        catalogue: the schema.
        chains: also take apart what a chain could say, the innermost description first.
    """
    held, choosing = items(question, anchors), _choosing(catalogue)
    named = sum(item.target is not None for item in held)
    stems = _schema_stems(tuple(name for _, name in catalogue.relations), catalogue.kinds)
    found = [
        phrase for place in range(len(held)) if (phrase := _read(question, held, place, stems, _lasting(catalogue)))
    ]
    found = [phrase for phrase in found if not _is_said_of(held, phrase)]
    text = _marked(question, anchors)
    chosen = _chosen(text, held, found, catalogue) or _dated(text, held, found, catalogue)
    if chosen is not None:
        return chosen
    found = [phrase for phrase in found if not _is_chosen_of_more(held, phrase, choosing)]
    found = [_with_values(text, held, phrase, catalogue) for phrase in found]
    with_values = any(phrase.values for phrase in found)
    every = [phrase for phrase in found if _all_from(question, held, phrase) is not None]
    apart_too = chains or with_values or any(map(choosing, held)) or bool(every)
    if named == 0 or (named == 1 and not apart_too):
        return None
    picked = [phrase for phrase in found if any(map(choosing, phrase.head[:-1])) and not _is_whole(held, phrase)]
    within = [phrase for phrase in found if not any(_holds(phrase, inner) for inner in picked)]
    own = {stem for one in catalogue.properties for stem in properties.stems(one.name)} - stems
    within = [phrase for phrase in within if not (phrase.head and words.stem(phrase.head[-1].form) in own)]
    apart = [
        phrase
        for phrase in _apart(within, longest=not chains)
        if _needs_step(held, phrase, apart=chains or phrase in every or any(map(choosing, phrase.head[:-1])))
    ]
    first = _first(apart)
    return None if first is None else _described(question, held, first, stems)


def _is_said_of(held: Sequence[Item], phrase: Phrase) -> bool:
    """Whether a description is said of the name before it, and stands for nothing else: A, a member of B."""
    if not phrase.first:
        return False
    before, form = held[phrase.first - 1], held[phrase.first].form
    there = before.form == "there" and form in lasting.ADJECTIVES  # are there current members of it
    return there or (before.target is not None and form in ("a", "an", "all", "each"))


def _is_chosen_of_more(held: Sequence[Item], phrase: Phrase, choosing: Callable[[Item], bool]) -> bool:
    """Whether a superlative chooses among what a clause behind tells too: the oldest film of A that stars B."""
    follows = held[phrase.end].form if phrase.end < len(held) else ""
    asked = all(not item.target and item.form in _BARE for item in held[: phrase.first])
    return asked and follows in RELATIVES and any(map(choosing, phrase.head[:-1]))


def _marked(question: str, anchors: Sequence[Target]) -> str:
    """The question with each name blanked out by a mark that no cue goes over."""
    for anchor in anchors:
        width = anchor.char_end - anchor.char_start
        question = question[: anchor.char_start] + "|" * width + question[anchor.char_end :]
    return question


def _chosen(text: str, held: Sequence[Item], found: Sequence[Phrase], catalogue: Catalogue) -> Description | None:
    """A thing that a superlative chooses with no name beside, where the question asks something of it."""
    ordered = [one for one in catalogue.properties if one.owner != "edge"]
    one = superlatives.find(
        text,
        lambda word: bool(kinds_in(word, catalogue)),
        lambda said: properties.by_noun(said, ordered) is not None,
    )
    if one is None or any(held[phrase.first].start == one.start for phrase in found):
        return None
    head = text[one.start : one.end]
    inner, outer = (values.end(text, one.end, head, catalogue, bare=bare) for bare in (False, True))
    around = [item for item in held if item.end <= one.start or item.start >= outer]
    after = next((item.form for item in held if item.start >= inner), "")
    if after in RELATIVES or all(item.target or item.form in _BARE | _JOINING for item in around):
        return None
    asked = f"{one.question[:-1]}{text[one.end : inner]}?"
    return Description(text[one.start : inner], one.start, inner, (Part(asked, None),))


def _dated(text: str, held: Sequence[Item], found: Sequence[Phrase], catalogue: Catalogue) -> Description | None:
    """All of a kind that conditions on values alone describe, where the question asks something of them."""
    asked = asking.read(text)
    asked.bounds.clear()
    if not asked.is_plain:
        return None
    for place, item in enumerate(held):
        before = [other.form for other in held[max(0, place - 2) : place]]
        is_asked = not before or (_CHOOSING & {*before} and not DETERMINERS & {*before})
        if item.target or is_asked or any(phrase.first <= place < phrase.end for phrase in found):
            continue
        end = values.end(text, item.end, item.form, catalogue) if kinds_in(item.form, catalogue) else item.end
        start = held[place - 1].start if before[-1] in DETERMINERS else item.start
        around = [other for other in held if not start <= other.start < end]
        if end > item.end and not all(other.target or other.form in _BARE | _JOINING for other in around):
            part = Part(f"Which {item.form}{text[item.end : end]}?", None)
            return Description(text[start:end], start, end, (part,))
    return None


def _with_values(text: str, held: Sequence[Item], phrase: Phrase, catalogue: Catalogue) -> Phrase:
    """A description with the conditions on dates and numbers that follow it."""
    start = held[phrase.end - 1].end
    end = values.end(text, start, phrase.head[-1].form, catalogue) if phrase.head else start
    last = next((place for place, item in enumerate(held) if item.start >= end), len(held))
    return replace(phrase, end=last, values=text[start:end]) if end > start else phrase


def _read(
    question: str, held: Sequence[Item], place: int, stems: frozenset[str], adjectives: frozenset[str]
) -> Phrase | None:
    """The description at `place`; a question that asks how two things hang together keeps a second thing to join."""

    def known(word: str) -> bool:
        return any(words.alike(words.stem(word), other) for other in stems)

    phrase = Reader(held, known, adjectives=adjectives).read(place)
    if phrase and len(phrase.names) > 1 and not _outside(held, phrase) and cues.asks_relation(question):
        return Reader(held, known, coordinate=False).read(place)
    return phrase


def _outside(held: Sequence[Item], phrase: Phrase) -> list[Item]:
    """The names that a description does not hold."""
    return [item for place, item in enumerate(held) if item.target and not phrase.first <= place < phrase.end]


def _holds(one: Phrase, other: Phrase) -> bool:
    """Whether a phrase is longer than another, and holds it whole."""
    return one is not other and one.first <= other.first and other.end <= one.end


def _apart(phrases: Sequence[Phrase], *, longest: bool) -> list[Phrase]:
    """One phrase for each set of names: the shortest, but the `longest` of those that hold one name, a chain.

    Conditions on values are those of the shortest that may have them: of the film, in the director of the film.
    """
    best: dict[tuple[int, ...], Phrase] = {}
    for phrase in phrases:
        key = tuple(item.start for item in phrase.names)
        size, other = phrase.end - phrase.first, best.get(key)
        if other is None or bool(phrase.values) > bool(other.values):
            best[key] = phrase
        elif phrase.values:
            best[key] = phrase if size < other.end - other.first else other
        elif not other.values and (size > other.end - other.first) == (longest and len(key) == 1):
            best[key] = phrase
    return list(best.values())


def _needs_step(held: Sequence[Item], phrase: Phrase, *, apart: bool) -> bool:
    """Whether a description has to be resolved first; one of one name where it is to be taken `apart`."""
    if len(phrase.names) > 1:
        return not (phrase.either and _is_whole(held, phrase))
    return ((apart or bool(phrase.values)) and not _is_whole(held, phrase)) or bool(_outside(held, phrase))


def _all_from(question: str, held: Sequence[Item], phrase: Phrase) -> int | None:
    """Where `every` or `all` stands, of which something is to hold of each: who took all of the courses that A gave.

    Not after *of*, where all of them are meant together: the actors of all films by A; nor where each is counted.
    """
    if cues.asks_verdict(question) or asking.read(question).each:
        return None
    forms = ["", "", *(item.form for item in held[: phrase.first + 1])]
    back = (
        0
        if forms[-1] in EVERY
        else 1
        if forms[-2] in EVERY
        else 2
        if forms[-2] == "of" and forms[-3] in EVERY
        else None
    )
    if back is None or phrase.first - back < 1:
        return None
    start = phrase.first - back
    before = held[start - 1].form
    acts = before in _PLACED | {"do", "does", "did"} or (
        before not in FUNCTION | PREPOSITIONS and not held[start - 1].target
    )
    return start if acts else None


def _lasting(catalogue: Catalogue) -> frozenset[str]:
    """Adjectives of what holds still or no longer, where edges tell it."""
    return lasting.ADJECTIVES if lasting.is_told(catalogue) else frozenset()


def _choosing(catalogue: Catalogue) -> Callable[[Item], bool]:
    """Whether a word before a thing chooses among its like: the oldest film; the current member, if edges tell it."""
    lasts = _lasting(catalogue)

    def chooses(item: Item) -> bool:
        return item.form in SUPERLATIVES or item.form in lasts or bool(re.fullmatch(r"\w{2,}est", item.form))

    return chooses


def _is_whole(held: Sequence[Item], phrase: Phrase) -> bool:
    around = [*held[: phrase.first], *held[phrase.end :]]
    return all(not item.target and item.form in _BARE for item in around)


def _first(phrases: Sequence[Phrase]) -> Phrase | None:
    """The last phrase that holds no other: what comes later may be a condition of what stands before it."""
    inner = [one for one in phrases if not any(_holds(one, other) for other in phrases)]
    return max(inner, key=lambda phrase: phrase.first, default=None)


def _described(question: str, held: Sequence[Item], phrase: Phrase, stems: frozenset[str]) -> Description:
    start, end = held[phrase.first].start, held[phrase.end - 1].end
    from_all = _all_from(question, held, phrase)
    start = start if from_all is None else held[from_all].start
    thing = phrase.head[-1].form if phrase.head else ""
    return Description(
        text=question[start:end],
        char_start=start,
        char_end=end,
        parts=tuple(_parts(question, phrase)),
        either=phrase.either,
        known=not thing or any(words.alike(words.stem(thing), other) for other in stems),
        whole=_is_whole(held, phrase),
    )


def _parts(question: str, phrase: Phrase) -> list[Part]:
    """A question for each name: the head, and the condition with the other names left out."""
    found = []
    for number, condition in enumerate(phrase.conditions):
        lender = _lender(phrase.conditions, number)
        for name in condition.names:
            told = _with_name(lender, name) if lender is not condition else _with_name(condition, name, keep=name)
            found.append(_part(question, phrase, told, name, negative=condition.negative))
    last = max((place for place, part in enumerate(found) if not part.negative), default=0)
    if phrase.values:
        found[last] = replace(found[last], text=f"{found[last].text[:-1]}{phrase.values}?")
    return found


def _lender(conditions: Sequence[Condition], number: int) -> Condition:
    """Whose words a condition shares: of the nearest before it that says more; a bare name's may come after it."""
    own = conditions[number]
    after = () if own.speaks else conditions[number + 1 :]
    return max([own, *reversed(conditions[:number]), *after], key=lambda condition: condition.speaks)


def _with_name(condition: Condition, name: Item, keep: Item | None = None) -> list[Item]:
    """The items of a condition with `name` where its first name stands (or where `keep` does), without other names."""
    place = condition.items.index(keep or condition.names[0])
    return [
        name if number == place else item
        for number, item in enumerate(condition.items)
        if number == place or not item.target
    ]


def _part(question: str, phrase: Phrase, told: Sequence[Item], name: Item, *, negative: bool) -> Part:
    """The question that a condition asks: Which author wrote X? What is the director of X?"""
    head = [question[item.start : item.end] for item in phrase.head]
    opening = ["Which", *head] if phrase.clause else ["What is the", *head] if head else ["What is"]
    said = [item for item in told if not (phrase.clause and item.form in RELATIVES - {"whose", "where"})]
    text, place = " ".join(opening), 0
    for item in said:
        text += "'" if item.form == "s" and not phrase.head else " "
        place = len(text) if item is name else place
        text += question[item.start : item.end]
    width = name.end - name.start
    assert name.target is not None  # an item of `names`
    return Part(f"{text}?", replace(name.target, group_id=0, char_start=place, char_end=place + width), negative)


@lru_cache(maxsize=16)
def _schema_stems(relations: tuple[str, ...], kinds: tuple[str, ...]) -> frozenset[str]:
    """The stems that name a relation or a kind; of an inferred kind (has r) those of its relation."""
    return frozenset(stem for name in (*relations, *kinds) for stem in words.stems(re.sub(r"[_\W]+", " ", name)))
