"""A question read around its anchors: what its words mention, in which order, and what the answer is called."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import LIGHT
from mosaic_sql.analyze.mentions import STRONG, Likeness, Mention
from mosaic_sql.analyze.mentions import find as mentioned
from mosaic_sql.analyze.sentence import (
    BE,
    DO,
    FUNCTION,
    LISTING,
    PREPOSITIONS,
    WHICH,
    Sentence,
    Span,
    is_passive,
    sentence,
)
from mosaic_sql.records import Catalogue

_SHARING = frozenset(
    "same share shares shared sharing common both also too together with else alongside jointly another other others "
    "co each mutual mutually".split()
)
_IN_COMMON = frozenset("same share shares shared sharing common mutual similar".split())
_MUTUAL = ("each other", "one another", "the other way round", "vice versa", "mutually")
_AMOUNTS = frozenset(("many", "much"))
_RELATIVE = frozenset("who that which".split())
_LINKS = frozenset("who that which have has had".split()) | BE
_ASKS = {"who": "who", "whom": "who", "whose": "who", "where": "where", "when": "when"}


@dataclass(frozen=True)
class Wording:
    """A question read around its anchors: mentions in order, what the answer is called, whether something is shared.

    `joined` says that two anchors do the same (A and B), `mutual` that each does it to the other, `exists` that the
    question is whether there is something. `anchor` is the token before which the first anchor stands, `acting` the
    mention that is the verb it is the subject of: what does A treat.
    """

    mentions: tuple[Mention, ...]
    focus: int | None
    asks: str
    shared: bool
    telling: tuple[str, ...] = ()
    joined: bool = False
    mutual: bool = False
    exists: bool = False
    anchor: int = 0
    acting: int | None = None


def read(question: str, names: Sequence[Span], catalogue: Catalogue, likeness: Likeness | None = None) -> Wording:
    """Read a question; `names` are the character spans of its anchors, the one that is walked from first.

    `likeness` maps phrases of the question to relations and how near their vectors are.
    """
    told = sentence(question, names)
    found = _said_once(mentioned(told, catalogue, likeness or {}), told)
    chosen = [
        replace(
            mention,
            near=_nearness(mention, told, found),
            shared=_has_in_common(mention, told),
            beside=mention.noun and mention.end in told.anchors and not told.possessed,
            sortal=_is_sortal(mention, told),
            touching=_touches(mention, told),
            behind=_is_behind(mention, told),
        )
        for mention in found
    ]
    chosen = _merged(chosen, told)
    focus, asks = _focus(told, chosen)
    asked, chosen = None if focus is None else chosen[focus], _in_the_same(chosen, told, catalogue)
    focus = next((number for number, one in enumerate(chosen) if asked and one.end == asked.end), None)
    shared = _is_shared(told, chosen)
    telling = tuple(words.stem(form) for form in told.forms if form not in FUNCTION and words.stem(form) not in LIGHT)
    return Wording(
        mentions=tuple(chosen),
        focus=focus,
        asks=asks,
        shared=shared,
        telling=telling,
        joined=_is_joined(told),
        mutual=_is_mutual(told),
        exists=told.forms[1:2] == ["there"],
        anchor=told.anchor,
        acting=_acting(told, chosen),
    )


def unread(question: str, names: Sequence[Span], catalogue: Catalogue) -> tuple[str, ...]:
    """Runs of telling words, where no word of a question speaks for a relation: what vectors may still tell.

    Who founded, or is the king of, something is told by no relation that is merely near.
    """
    told = sentence(question, names)
    found = mentioned(told, catalogue, {})
    if any(mention.is_strong for mention in found):
        return ()
    runs = itertools.groupby(range(len(told.forms)), key=lambda place: told.forms[place] not in FUNCTION)
    kinds = {place for mention in found if mention.kinds for place in range(mention.start, mention.end)}
    kinds |= {place for place, form in enumerate(told.forms) if form in _AMOUNTS}
    left = [run for telling, group in runs if telling and not _is_known(told, run := list(group), kinds)]
    return tuple(dict.fromkeys(" ".join(told.forms[place] for place in run) for run in left))


def _is_known(told: Sentence, run: Sequence[int], kinds: Collection[int]) -> bool:
    """Whether words are those of families: one that says who, or the only one beside kinds."""
    own = [[one for one in lexicon.entries_at(told.forms, p) if one.role != "other"] for p in run if p not in kinds]
    families = lexicon.lexicon().families
    who = any(families[one.family].asks == "who" and one.mark != "-" for entries in own for one in entries)
    return who or (len(own) < 2 and all(own))  # companies that belong to A may be its subsidiaries


def _has_in_common(mention: Mention, told: Sentence) -> bool:
    """Whether what a noun names is said to be shared: the same actor, share a director, directors in common."""
    before, after = told.forms[max(0, mention.start - 2) : mention.start], told.forms[mention.end : mention.end + 2]
    families = lexicon.lexicon().families
    if after[:1] in (["together"], ["alongside"]):
        return True
    together = any(families[e.family].together for e in lexicon.entries_at(told.forms, mention.start))
    if before[-1:] == ["co"] or (together and not is_mutual(mention)):
        return True
    return after == ["in", "common"] or (mention.noun and bool(_IN_COMMON.intersection(before)))


def _touches(mention: Mention, told: Sentence) -> bool:
    """Whether words are said of the anchor itself: founded A, the founder of A, A was founded."""
    before = [form for form in told.forms[mention.end : told.anchor] if form not in ("the", "a", "an")]
    between = told.forms[told.anchor : mention.start]
    if mention.end <= told.anchor:
        return not told.possessed and before == (["of"] if mention.noun else [])
    if mention.noun:
        return told.possessed and between == ["s"]
    return is_passive(told, mention.start, mention.end) and all(form in BE for form in between)


def _is_behind(mention: Mention, told: Sentence) -> bool:
    """Whether a noun in the singular may tell the kind of the name that it stands right behind: the X paper."""
    form = told.forms[mention.start]
    singular = mention.end == mention.start + 1 and not form.endswith("s")
    return bool(mention.kinds) and singular and mention.start in told.anchors and not told.possessed


def _is_sortal(mention: Mention, told: Sentence) -> bool:
    before, after = told.forms[max(0, mention.start - 1) : mention.start], told.forms[mention.end : mention.end + 1]
    return mention.noun and bool(WHICH.intersection(before)) and not PREPOSITIONS.intersection(after)


def _merged(mentions: Sequence[Mention], told: Sentence) -> list[Mention]:
    """A noun and the verb beside it are one thing said: languages spoken, actors that act, released in which year."""
    found = list(mentions)
    for number, (noun, verb) in enumerate(itertools.pairwise(mentions)):
        between = told.forms[noun.end : verb.start]
        own = told.forms[noun.start - 1 : noun.start] == ["whose"] or noun.start == told.anchor + told.possessed
        apart = any(noun.end <= anchor <= verb.start for anchor in told.anchors)
        if verb.noun and not noun.noun and WHICH.intersection(between) and all(form in FUNCTION for form in between):
            found[number + 1] = replace(verb, merged=frozenset(noun.relations) & frozenset(verb.relations))
        if verb.noun and not noun.noun and not apart and _is_object(between):
            found[number + 1] = replace(verb, merged=verb.merged | _said_by_both(noun, verb))
        if noun.noun and not verb.noun and not own and not apart and all(form in _LINKS for form in between):
            same = frozenset(noun.relations) & frozenset(verb.relations)
            modified = bool(_RELATIVE.intersection(between)) or told.forms[verb.end - 1].endswith("ing")
            found[number] = replace(noun, merged=frozenset(noun.relations) if modified else same)
    return found


def _said_once(mentions: Sequence[Mention], told: Sentence) -> list[Mention]:
    """Mentions of which one verb in two tenses is one: works or worked at, sits or has she sat."""
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found else None
        between = told.forms[last.end : mention.start] if last else []
        joined = not {"and", "or"}.isdisjoint(between) and all(form in FUNCTION for form in between)
        if last and joined and not mention.noun and not mention.relations.keys().isdisjoint(last.relations):
            roots = lexicon.roots(told.forms[mention.start])
            if any(not roots.isdisjoint(lexicon.roots(form)) for form in told.forms[last.start : last.end]):
                found[-1] = replace(mention, start=last.start)
                continue
        found.append(mention)
    return found


def _in_the_same(mentions: Sequence[Mention], told: Sentence, catalogue: Catalogue) -> list[Mention]:
    """Mentions of which a verb and the shared thing that it leads to are one: lives in the same city."""
    found: list[Mention] = []
    for mention in mentions:
        verb = found[-1] if found else None
        if verb and not verb.noun and mention.shared and not verb.shared and _leads(verb, mention, catalogue):
            between = told.forms[verb.end : mention.start]
            if between[-1:] == ["same"] and all(form in FUNCTION for form in between):
                both = {**mention.relations, **verb.relations}
                found[-1] = replace(mention, start=verb.start, said=(*verb.said, *mention.said), relations=both)
                continue
        found.append(mention)
    return found


def _leads(verb: Mention, noun: Mention, catalogue: Catalogue) -> bool:
    """Whether a relation of a verb joins what a noun is the kind of, or answers as the noun asks (city: where).

    A noun that speaks for another relation itself (in the same country, of a city) is another step.
    """
    if any(each.strength >= STRONG and relation not in verb.relations for relation, each in noun.relations.items()):
        return False
    if noun.kinds:
        return any(one[1] in verb.relations and noun.kinds & {one[0], one[2]} for one in catalogue.schema_paths)
    families = lexicon.lexicon().families
    own = {families[family].asks for family in lexicon.families_of(verb.relations)}
    return bool(noun.asks) and noun.asks in own


def _is_object(between: Sequence[str]) -> bool:
    """Whether small words alone part a verb from the noun behind it: wrote her other books; no preposition."""
    return all(form in (FUNCTION | _SHARING) - PREPOSITIONS for form in between)


def _said_by_both(one: Mention, other: Mention) -> frozenset[str]:
    """The relations that two mentions both speak for surely."""
    return frozenset(
        relation
        for relation in set(one.relations) & set(other.relations)
        if min(one.relations[relation].strength, other.relations[relation].strength) >= STRONG
    )


def _nearness(mention: Mention, told: Sentence, others: Sequence[Mention]) -> float:
    """How far from the anchor in mentions and words between; the smaller, the earlier its step."""
    anchor = told.anchor
    left = next((other.start for other in others if other.noun and other.end == anchor), anchor)  # the film X
    if mention.end <= anchor:
        between = told.forms[mention.end : left]
        return float(sum(form not in FUNCTION for form in between))
    between = told.forms[anchor : mention.start]
    attached = any(
        other.end <= left
        and all(form in FUNCTION for form in told.forms[other.end : left])
        and (not other.noun or any(form in PREPOSITIONS for form in told.forms[other.end : left]))
        for other in others
    )
    late = 0.5 if attached and not told.possessed and between else 0.25 if attached and not told.possessed else -0.5
    return sum(form not in FUNCTION for form in between) + late


def _acting(told: Sentence, mentions: Sequence[Mention]) -> int | None:
    """The verb that the one anchor is the subject of, in the active voice and with nothing behind it."""
    before = [form for form in told.forms[: told.anchor] if form not in ("the", "a", "an")]
    if len(told.anchors) != 1 or told.possessed or before[-1:] not in (["do"], ["does"], ["did"]):
        return None
    ends = (n for n, one in enumerate(mentions) if not one.noun and one.start == told.anchor)
    return next((n for n in ends if mentions[n].end == len(told.forms)), None)


# -- what is asked for -----------------------------------------------------------------------------------------------


def is_mutual(mention: Mention) -> bool:
    """Whether what words say is a relation that holds both ways itself: collaborates with."""
    strong = [relation for relation, evidence in mention.relations.items() if evidence.strength >= STRONG]
    return bool(strong) and all(map(lexicon.is_mutual, strong))


def _is_shared(told: Sentence, mentions: Sequence[Mention]) -> bool:
    """Whether something is said to be shared, or two to do it together, rather than that one relation joins them."""
    own = [one for one in mentions if is_mutual(one)]
    joining = {place for one in own for place in range(one.start, one.end)}
    joining |= {one.end for one in own if told.forms[one.end : one.end + 1] == ["with"]}
    joining |= {place for one in mentions for place in range(one.start, one.end) if _is_in_name(told.forms[place], one)}
    for place, form in enumerate(told.forms):
        if place in joining:
            continue
        if form in _SHARING and (form != "with" or place + 1 == told.anchor):
            return True
        if any(lexicon.lexicon().families[e.family].together for e in lexicon.entries_at(told.forms, place)):
            return True
    return False


def _is_in_name(form: str, mention: Mention) -> bool:
    """Whether a word of sharing is one of the name of a relation that it speaks for surely: owns a share of."""
    strong = [relation for relation, evidence in mention.relations.items() if evidence.strength >= STRONG]
    stems = {stem for relation in strong for stem in lexicon.label(relation).stems}
    return form in ("share", "shares") and words.stem(form) in stems and mention.end > mention.start + 1


def _is_joined(told: Sentence) -> bool:
    """Whether two anchors stand side by side: A and B, of A and of B, items of A as well as items of B."""
    if len(told.anchors) < 2:
        return False
    between = told.forms[min(told.anchors) : max(told.anchors)]
    return between[:1] in (["and"], ["or"]) or between[:3] == ["as", "well", "as"]


def _is_mutual(told: Sentence) -> bool:
    """Whether each is said to do it to the other."""
    said = f" {' '.join(told.forms)} "
    between = len(told.anchors) > 1 and "between" in told.forms[: min(told.anchors)]
    return between or any(f" {phrase} " in said for phrase in _MUTUAL)


def _focus(told: Sentence, mentions: Sequence[Mention]) -> tuple[int | None, str]:
    """The mention that names the answer, if any, and the question word it answers to."""
    at = {mention.start: number for number, mention in enumerate(mentions)}
    forms = told.forms
    for place, form in enumerate(forms):
        if form == "what" and LISTING.intersection(forms[:3]) and forms[place - 1] in PREPOSITIONS:
            continue  # the brands of what people buy
        if form in ("which", "what"):
            number = _noun_after(told, place, at, mentions)
            if number is not None:
                return number, mentions[number].asks
        elif form == "whose":
            continue
        elif form in _ASKS:
            if (
                form == "who"
                and place
                and (forms[place - 1] not in FUNCTION)
                and any(f in ("which", "what") for f in forms)
            ):
                continue  # a relative clause
            if form == "who" and place and any(f in LISTING for f in forms[:place]):
                continue
            number = _noun_after(told, place, at, mentions) if form == "who" and _is_be(forms, place + 1) else None
            return number, "who" if form in ("who", "whom") else form
    return _named_first(told, mentions)


def _named_first(told: Sentence, mentions: Sequence[Mention]) -> tuple[int | None, str]:
    """What a question without a question word asks for: its first noun, or the object of its last verb."""
    nouns = [number for number, mention in enumerate(mentions) if mention.noun and not mention.beside]
    if not nouns or any(form in WHICH for form in told.forms):
        return None, ""
    first, last = _head(nouns[0], mentions), nouns[-1]
    listed = any(form in LISTING for form in told.forms[:3])
    acted = [mention for mention in mentions if not mention.noun and told.anchor <= mention.start]
    if not listed and acted and mentions[last].start >= acted[-1].end:
        return last, mentions[last].asks
    if listed or mentions[first].end <= told.anchor or not mentions[0].noun:
        return first, mentions[first].asks
    return None, ""


def _is_be(forms: Sequence[str], place: int) -> bool:
    return place < len(forms) and forms[place] in BE


def _noun_after(told: Sentence, place: int, at: Mapping[int, int], mentions: Sequence[Mention]) -> int | None:
    """The noun that a question word asks for: right behind it, or behind `is the`."""
    forms = told.forms
    passed_be = False
    for following in range(place + 1, min(len(forms), place + 6)):
        if following == told.anchor and passed_be and not told.possessed:
            return None  # what is X the capital of; but what are X's parts
        if following in at and mentions[at[following]].noun:
            only = mentions[at[following]]
            named = passed_be and only.beside and bool(only.kinds) and not only.is_strong  # what is the paper X about
            return None if named else _head(at[following], mentions)
        form = forms[following]
        passed_be = passed_be or form in BE
        if form in DO or following in at or form in ("that", "who"):
            return None
        if following == told.anchor and not (passed_be and told.possessed):
            return None
    return None


def _head(number: int, mentions: Sequence[Mention]) -> int:
    """The last of nouns that stand side by side: film genre."""
    while (
        number + 1 < len(mentions) and mentions[number + 1].noun and mentions[number + 1].start == mentions[number].end
    ):
        number += 1
    return number
