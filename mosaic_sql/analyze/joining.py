"""What the edge between two names tells: how much of A does B own, what dose of A is used for B.

The words name a property of edges that may join the two; where these lie between likes, who acts tells which way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import cues, lexicon, properties, schema
from mosaic_sql.analyze.drafting import WHEN, Draft, Step, stems_of
from mosaic_sql.analyze.families import SHARE
from mosaic_sql.analyze.sentence import DO, FUNCTION, entries_said
from mosaic_sql.records import Catalogue, Property, Target

_ASKS = re.compile(r"\s*(?:(?:in|on|at|for|with|by|to) )?(?P<how>how (?:much|many)\b|what\b|which\b)", re.IGNORECASE)
_OFTEN = re.compile(r"\s*how (?:often|many times|frequently)\b", re.IGNORECASE)
_HAS = re.compile(r"['’]s? (?P<own>\w+(?: \w+)?) (?:at|in|for|with|of|on|to) ", re.IGNORECASE)
_SHARES = frozenset(words.stem(form) for form in (*SHARE, "portion"))
"""Stems of nouns for a share of something."""


class _Told(NamedTuple):
    """A property of the edges of a relation, and whether they lead from the first name to the second."""

    property: Property
    forward: bool


def between(draft: Draft, question: str) -> bool:
    """Whether a question asks for what the edge between its two names tells; then that is read."""
    asks = _ASKS.match(draft.asked.rest if not draft.asked.count else question)
    plain = not (draft.asked.sort or draft.asked.bounds or draft.asked.often or draft.asked.each)
    if asks is None or len(draft.anchors) != 2 or not plain or WHEN.search(question) or cues.asks_relation(question):
        return False
    first, second = draft.anchors
    if "described" in (first.why, second.why):
        return False
    told = _told(draft, much=(asks["how"] or "").lower().startswith("how"))
    if told is None:
        return False
    read = (*properties.stems(told.property.name), *properties.stems(told.property.label), *_SHARES)
    step = Step(
        patterns.format_path([(told.property.label, told.forward)]), (*read, *_verbs(draft, told.property.label))
    )
    draft.walk(step, first.kinds)
    draft.hold("name", "=", value=second.node_names[0])
    draft.refine.update(attribute=told.property.name, attribute_owner="edge")
    draft.reasons.append(f"{told.property.name} of {step.pattern} to {second.name}")
    draft.anchors, draft.asked.count = [first], False
    return True


def how_often(draft: Draft, question: str) -> bool:
    """Whether it is asked how often one name did something to another: each time is an edge between the two."""
    asked = _OFTEN.match(question)
    if asked is None or len(draft.anchors) != 2 or any(one.why == "described" for one in draft.anchors):
        return False
    first, second = draft.anchors
    spoken = {
        (relation, forward)
        for relation, ways in _ways(first, second, draft.catalogue).items()
        for forward in ways
        if (relation, forward) in first.steps and (relation, not forward) in second.steps and _verbs(draft, relation)
    }
    if len(spoken) != 1:
        return False
    ((relation, forward),) = spoken
    draft.walk(Step(patterns.format_path([(relation, forward)]), _verbs(draft, relation)), first.kinds)
    draft.hold("name", "=", value=second.node_names[0])
    draft.refine.update(row_per="edge", count_only=True)
    draft.reasons.append(f"the edges {draft.pattern} to {second.name}, from: {asked[0]}")
    draft.anchors = [first]
    return True


def is_of_edge(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> bool:
    """Whether what a name is said to have is told by its edge to the other, and by no node: A's title at B."""
    if len(anchors) != 2:
        return False
    first, second = sorted(anchors, key=lambda one: one.char_start)
    found = _HAS.match(question, first.char_end, second.char_start)
    joining = _ways(first, second, catalogue)
    edges = [one for one in catalogue.properties if one.owner == "edge" and one.label in joining]
    if found is None or not properties.named(stems_of(found["own"]), edges):
        return False
    return not properties.named(stems_of(found["own"]), properties.of_nodes(first.kinds, catalogue))


def _ways(first: Target, second: Target, catalogue: Catalogue) -> dict[str, set[bool]]:
    """The relations that may join two names by their kinds, and whether along their edges."""
    ways = dict[str, set[bool]]()
    for relation, forward, start, end in schema.each_way(catalogue):
        if start in first.kinds and end in second.kinds:
            ways.setdefault(relation, set()).add(forward)
    return ways


def _told(draft: Draft, *, much: bool) -> _Told | None:
    """The one property that is asked for of the one relation that may join the two names and has it."""
    first, second = draft.anchors
    ways = _ways(first, second, draft.catalogue)
    own = [one for one in draft.catalogue.properties if one.owner == "edge" and one.label in ways]
    found = _asked_for(draft, own, much=much)
    spoken = [one for one in found if _verbs(draft, one.label)]
    found = spoken if len(found) > 1 else found
    if len(found) != 1:
        return None
    (one,) = found
    along = _way(draft, one.label, ways[one.label])
    return None if along is None else _Told(one, along)


def _asked_for(draft: Draft, own: list[Property], *, much: bool) -> list[Property]:
    """The properties that words name, or that are a share or the only amount where one is asked for."""
    asked = stems_of(draft.asked.rest)
    nodes = properties.of_nodes({kind for one in draft.anchors for kind in one.kinds}, draft.catalogue)
    named = [one for one in properties.named(asked, own) if one.type != "date"]
    if named and (_actor(draft) is not None or not properties.named(asked, nodes)):
        return named
    if not much and not _SHARES & set(asked):
        return []
    shares = [one for one in own if _SHARES & set(properties.stems(one.name))]
    if shares or draft.asked.count:
        return shares if much or _SHARES & set(asked) else []
    amounts = [one for one in own if one.type == "number" and _verbs(draft, one.label)]
    return amounts if len({one.name for one in amounts}) == 1 and _actor(draft) is not None else []


def _actor(draft: Draft) -> Target | None:
    """The name that acts: how much of B does A own, what share of B is owned by A; None where neither is said to."""
    rest = draft.asked.rest
    for one in draft.anchors:
        before = [token.form for token in words.tokens(rest[: one.char_start]) if token.form != "the"]
        if before and before[-1] in DO | {"that", "by"}:
            return one
    return None


def _verbs(draft: Draft, relation: str) -> tuple[str, ...]:
    """The stems of words that speak of a relation: by its own name, or by a family of it."""
    forms, own = [token.form for token in words.tokens(draft.asked.rest)], properties.stems(relation)
    families = lexicon.label(relation).families
    return tuple(
        words.stem(form)
        for place, form in enumerate(forms)
        if form not in FUNCTION
        and (
            any(words.alike(words.stem(form), stem) for stem in own)
            or any(entry.family in families for entry in entries_said(forms, place))
        )
    )


def _way(draft: Draft, relation: str, ways: set[bool]) -> bool | None:
    """Whether the edges meant lead from the first name to the second; None where either may be."""
    if len(ways) == 1:
        return next(iter(ways))
    actor = _actor(draft)
    if actor is None:
        return None
    return _is_source(draft, relation) == (actor is draft.anchors[0])


def _is_source(draft: Draft, relation: str) -> bool:
    """Whether who acts is where the edges of a relation start."""
    label, parts = lexicon.label(relation), lexicon.parts(relation)
    forms = [token.form for token in words.tokens(draft.asked.rest)]
    for place in range(len(forms)):
        for entry in entries_said(forms, place):
            if entry.role == "verb" and entry.family in label.families:
                return label.families[entry.family] == (entry.mark in ("<", "-"))
    return parts[-1:] != ["by"]  # A depends on B, B is needed by A
