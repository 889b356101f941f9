"""What things are to be (alive, closed, approved), and what one thing is: held against the properties that tell it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, counting, dating, properties
from mosaic_sql.analyze.clauses import RELATIVES
from mosaic_sql.analyze.drafting import WHEN, Draft, kinds_in, stems_of
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Property, Target

_NOT = re.compile(r"\b(?:not|n['’]t|never)\b", re.IGNORECASE)
_NOT_BEFORE = re.compile(r"(?:\b(?:not|never|non|no longer)|n['’]t)[ -]+(?:(?:been|yet|an?)\s+)*$", re.IGNORECASE)
_OPPOSITE = re.compile(r"(?:un|in|non|dis)(?=\w{4})")
"""How words begin that say the opposite: inactive, unapproved."""
_OPPOSITES = {"died": ("alive", "living"), "ended": ("active", "open", "running")}
"""First word of a family of states -> words for what is not in it."""
_STILL = frozenset("still already yet now today ever".split())


def hold(draft: Draft, known: list[Property]) -> None:
    """Only what is in the state that a question asks for; told where no property tells it."""
    state = draft.asked.state
    if state is None:
        return
    found = _telling(state, known)
    flag = _flag_of(state, known) if found is None or found.type == "bool" else None
    if flag is not None:
        one, says = flag
        draft.hold(one.name, "=", value="true" if says != _negated(draft) else "false")
        draft.reasons.append(f"{one.name}, from: {state.words}")
        return
    if found is None:
        draft.refuse(state.words, "no property of the answers tells it")
        return
    compare = "present" if state.has != _negated(draft) else "missing"
    draft.hold(found.name, compare)
    draft.reasons.append(f"{found.name} {compare}, from: {state.words}")


def _flag_of(state: asking.State, known: Sequence[Property]) -> tuple[Property, bool] | None:
    """A property that says yes or no of a state, by its own word or that of the opposite, and which is meant."""
    word = words.stem(state.words.lower().split()[-1])
    others = {words.stem(form) for form in state.family} if state.has else set[str]()
    opposite = {words.stem(form) for form in _OPPOSITES.get(state.family[0], ())}
    for one in known:
        own = properties.stems(one.name) if one.type == "bool" else []
        if own == [word] or (len(own) == 1 and own[0] in others):
            return one, True
        if len(own) == 1 and own[0] in opposite:
            return one, not state.has
    return None


def flagged(draft: Draft) -> bool:
    """Only what a property says yes or no of, where the question names that: which drugs are approved, generic drugs.

    A date that is called by what was done (approved) says yes where there is one.
    """
    found = _flagged_once(draft)
    while found and _flagged_once(draft):  # approved prescription drugs
        pass
    return found


def _flagged_once(draft: Draft) -> bool:
    """The first of them, its words taken out; whether there is one."""
    asked = draft.asked
    known = [one for one in draft.known if not set(properties.stems(one.name)) <= {*draft.spoken}]
    valued = _valued(draft, known)
    start, end, turned = opposite(asked.rest, known) or (0, 0, [])
    asked.rest = words.blanked(asked.rest, start, end)
    stems = stems_of(asked.rest)
    found = properties.mentioned(stems, [one for one in known if one.type == "bool"], ("bool",))
    if found is None and not (asked.bounds or asked.sort or asked.than or WHEN.search(asked.rest)):
        dates = [one for one in known if one.owner != "edge" and _is_said_whole(draft, one.name)]
        found = properties.mentioned(stems, dates, ("date",))
    if found is None:
        return valued
    tokens, own = words.tokens(asked.rest), properties.said_as(found)
    places = [token for token in tokens if words.stem(token.form) in own]
    denied = _NOT_BEFORE.search(asked.rest[: places[0].start])
    without = (denied is not None) != (own == turned)
    draft.negated = draft.negated or without
    asked.rest = words.blanked(asked.rest, *denied.span()) if denied else asked.rest
    for token in places:
        asked.rest = words.blanked(asked.rest, token.start, token.end)
    if found.type == "bool":
        draft.hold(found.name, "=", value="false" if without else "true")
    else:
        draft.hold(found.name, "missing" if without else "present")
    draft.reasons.append(f"{found.name} {'not ' if without else ''}so, from: {places[0].form}")
    return True


def opposite(text: str, known: Sequence[Property]) -> tuple[int, int, list[str]] | None:
    """The characters that make a word the opposite of the name of a flag (inactive), and the stem without them."""
    flags = [properties.stems(one.name) for one in known if one.type == "bool"]
    for token in words.tokens(text):
        begun = _OPPOSITE.match(token.form)
        plain = [words.stem(token.form[begun.end() :])] if begun else []
        if begun and plain in flags and [words.stem(token.form)] not in flags:
            return token.start, token.start + begun.end(), plain
    return None


def _is_said_whole(draft: Draft, name: str) -> bool:
    """Whether a participle is said with nothing that belongs to it: approved drugs, are approved; not for what."""
    tokens = words.tokens(draft.asked.rest)
    last = next((place for place, token in enumerate(tokens) if token.form == name.lower()), None)
    if last is None or not counting.is_participle(name):
        return False
    follows = tokens[last + 1].form if last + 1 < len(tokens) else ""
    beside = any(tokens[last].end <= anchor.char_start <= tokens[last].end + 1 for anchor in draft.anchors)
    ends = not follows or follows in RELATIVES | {"and", "but"} or bool(kinds_in(follows, draft.catalogue))
    return ends and not beside


def _negated(draft: Draft) -> bool:
    """Whether a question says not; then what it leaves out is left out."""
    negated = bool(_NOT.search(draft.asked.rest))
    draft.negated = draft.negated or negated
    return negated


def _valued(draft: Draft, known: list[Property]) -> bool:
    """Only what has the number that stands behind the name of a property: in zone 2."""
    found = _value_said(draft, known)
    if found is None:
        return False
    one, token = found
    draft.asked.rest = words.blanked(draft.asked.rest, token.start, token.end)
    draft.hold(one.name, "=", value=token.form)
    draft.reasons.append(f"{one.name} is {token.form}")
    return True


def _value_said(draft: Draft, known: list[Property]) -> tuple[Property, words.Token] | None:
    """A property and the number behind its name."""
    tokens = words.tokens(draft.asked.rest)
    for one in known:
        own = properties.stems(one.name)
        for place in range(len(own), len(tokens)):
            run = [words.stem(token.form) for token in tokens[place - len(own) : place]]
            if run == own and tokens[place].form.isdigit():
                return one, tokens[place]
    return None


def _is_valued(draft: Draft, anchor: Target, own: list[Property]) -> bool:
    """Whether one node has the number that stands behind the name of a property of its own: is A in zone 2."""
    found = _value_said(draft, own) if draft.asked.is_plain else None
    if found is None:
        return False
    one, token = found
    kept, draft.asked.rest = draft.asked.rest, words.blanked(draft.asked.rest, token.start, token.end)
    if _says_more(draft, [one], anchor.kinds):
        draft.asked.rest = kept
        return False
    draft.negated = bool(_NOT.search(kept))
    draft.hold(one.name, "!=" if draft.negated else "=", value=token.form)
    draft.refine.update(answers_from="anchors", attribute=one.name, attribute_owner=one.owner)
    draft.reasons.append(f"{one.name} of {anchor.name}")
    return True


def _is_flagged(draft: Draft, anchor: Target, own: list[Property]) -> bool:
    """Whether it is asked if one node is not what a property says yes or no of: is A inactive, is A not approved."""
    kept = draft.asked.rest
    draft.known = own
    if draft.asked.is_plain and flagged(draft):
        held = draft.refine["filters"][-1]
        told = [one for one in own if one.name == held["attribute"]]
        if held.get("value") == "false" and not _says_more(draft, told, anchor.kinds):
            draft.refine.update(answers_from="anchors", attribute=told[0].name, attribute_owner=told[0].owner)
            draft.reasons.append(f"{told[0].name} of {anchor.name}")
            return True
    draft.asked.rest, draft.negated = kept, False
    draft.refine.pop("filters", None)
    draft.reasons.clear()
    return False


def of_anchor(draft: Draft, anchor: Target) -> bool:
    """Whether what a question asks of one node is a property of its own: was A born in 1960, is A still alive."""
    asked = draft.asked
    own = [one for one in draft.catalogue.properties if one.owner != "edge" and one.label in anchor.kinds]
    if _is_valued(draft, anchor, own):
        return True
    if _is_flagged(draft, anchor, own):
        return True
    found = [_compared(draft, bound, own) for bound in asked.bounds]
    if asked.state is not None:
        flag = _flag_of(asked.state, own)
        found.append(flag[0] if flag else _telling(asked.state, own))
    if not found and (done := _done(draft, own)) is not None:
        draft.hold(done.name, "present")
        draft.refine.update(answers_from="anchors", attribute=done.name, attribute_owner=done.owner)
        draft.reasons.append(f"{done.name} of {anchor.name}")
        return True
    told = [one for one in found if one is not None]
    if any(bound.kind == "number" and bound.either for bound in asked.bounds):
        return False
    if not told or len(told) < len(found) or asked.sort or asked.count or _says_more(draft, told):
        return False
    for bound, one in zip(asked.bounds, told, strict=False):
        ends = dating.spell(own, asked.rest) if bound.kind == "date" else None
        if ends and dating.hold_spell(draft, bound, ends):
            continue
        more = {"either": True} if bound.either else {}
        draft.hold(one.name, bound.compare, value=bound.value, high=bound.high, **more)
    hold(draft, own)
    draft.refine.update(answers_from="anchors", attribute=told[0].name, attribute_owner=told[0].owner)
    draft.reasons.append(f"{told[0].name} of {anchor.name}")
    return True


def _done(draft: Draft, own: list[Property]) -> Property | None:
    """The date that tells whether what a question asks of one node was done to it at all: was A approved."""
    dates = [one for one in own if one.type == "date" and counting.is_participle(one.name)]
    found = properties.mentioned(stems_of(draft.asked.rest), dates, ("date",)) if draft.asked.is_plain else None
    return found if found and not _says_more(draft, [found]) else None


def _telling(state: asking.State, known: list[Property]) -> Property | None:
    """The property that tells a state, the likeliest word of its family first."""
    for word in state.family:
        for one in known:
            if words.stem(word) in properties.stems(one.name):
                return one
    return None


def _compared(draft: Draft, bound: asking.Bound, own: list[Property]) -> Property | None:
    asked = stems_of(draft.asked.rest)
    if bound.kind != "date":
        return (properties.by_noun(bound.noun, own) if bound.noun else None) or properties.mentioned(
            asked, own, ("number",)
        )
    ends = dating.spell(own, draft.asked.rest)
    if ends:
        return ends[0]
    dates = [one for one in own if one.type == "date"]
    named = properties.named(asked, dates)
    return named[0] if named else properties.date(asked, dates, properties.time_families(draft.asked.rest))


def _says_more(draft: Draft, told: list[Property], kinds: Sequence[str] = ()) -> bool:
    """Whether words are left that speak of something else: a film that A directed after 2000."""
    said = {stem for one in told for stem in properties.stems(one.name)} | properties.time_verbs(draft.asked.rest)
    said |= {words.stem(bound.noun) for bound in draft.asked.bounds if bound.noun}
    said |= {stem for kind in kinds for stem in (*properties.stems(kind), *words.like_kind(kind))}
    if any(bound.kind == "date" for bound in draft.asked.bounds) and properties.starts(told):
        said |= dating.GOING_ON
    left = [
        token.form
        for token in words.tokens(draft.asked.rest)
        if token.form not in FUNCTION | _STILL and not _NOT.fullmatch(token.form)
    ]
    return any(not any(words.alike(words.stem(form), stem) for stem in said) for form in left)
