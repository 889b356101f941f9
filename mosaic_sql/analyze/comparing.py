"""What is asked of several nodes at once: which of two has more of something, and the number of something for each."""

from __future__ import annotations

import re
from dataclasses import replace

from mosaic_sql.analyze import asking, properties
from mosaic_sql.analyze.drafting import Draft, by_words, kinds_in
from mosaic_sql.records import Property, Target

_THAN = re.compile(r"\bthan(?: the)?(?: \w+)?$", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|after|since)(?: the)?(?: \w+)?$", re.IGNORECASE)


def of_two(draft: Draft, question: str, *, verdict: bool) -> bool:
    """Which of the anchors is longer, older, bigger; all in order where the question wants yes or no.

    A comparison that no property serves is told as such: how the two hang together is no answer to it.
    """
    if len(draft.anchors) < 2:
        return False
    between = draft.asked.rest[draft.anchors[0].char_end : draft.anchors[-1].char_start]
    best = draft.asked.sort if between.strip(" ,").lower() == "or" else None  # the largest, A or B
    sort = best or (asking.of_two(draft.asked.rest) if draft.asked.is_plain else None)
    if sort is None:
        return False
    found = _property(draft, sort)
    if found is None and best:
        return False
    together = " and ".join(anchor.name for anchor in draft.anchors)
    if found is None:
        draft.unserved = f"no property of {together} tells which is “{' '.join(sort.words.split())}”"
        return True
    draft.asked.rest = draft.asked.rest.replace(sort.words, " " * len(sort.words))
    draft.refine.update(
        answers_from="anchors",
        sort_by="attribute",
        attribute=found.name,
        attribute_owner=found.owner,
        descending=sort.descending,
        **({} if verdict else {"extreme": True}),
    )
    draft.reasons.append(f"{together} by {found.name}, from: {' '.join(sort.words.split())}")
    return True


def with_one(draft: Draft) -> bool:
    """Whether something is compared with what a named node has (films longer than X), which is not served."""
    compared = _THAN if asking.of_two(draft.asked.rest) else _BEFORE
    named = [one for one in draft.anchors if compared.search(draft.asked.rest[: one.char_start].rstrip())]
    if not named:
        return False
    draft.unserved = f"a comparison with what {named[0].name} has is not served; ask for its value first"
    return True


def common(draft: Draft) -> list[Property]:
    """The properties that every anchor may have."""
    return [
        one
        for one in draft.catalogue.properties
        if one.owner != "edge" and all(one.label in anchor.kinds for anchor in draft.anchors)
    ]


def _property(draft: Draft, sort: asking.Sort) -> Property | None:
    """What is compared: a property that every anchor may have."""
    own = common(draft)
    named = properties.by_noun(sort.noun, own) if sort.noun else None
    return named or (properties.by_family(sort.family, own) if sort.family else None)


def each(draft: Draft, stand_in: Target, counted: str) -> bool:
    """How many of a kind there are for each of another: a walk from all of them, by how often each is reached."""
    wanted = {kind for kind in kinds_in(draft.asked.each, draft.catalogue) if kind != counted}
    for text, start in ((draft.asked.rest, stand_in), _asked_for(draft, stand_in)):
        path = by_words(draft, text, start)
        ends = properties.ends(path.pattern, start.kinds, draft.catalogue).kinds if path else frozenset[str]()
        if path is not None and (not wanted or ends & wanted):
            draft.walk(path, start.kinds)
            draft.refine.update(source_kind=counted, sort_by="edges")
            draft.reasons.append(f"every {counted}, their number for each {draft.asked.each}")
            return True
    return False


def _asked_for(draft: Draft, stand_in: Target) -> tuple[str, Target]:
    """The question turned round, which of the others: which author wrote papers."""
    other, noun = draft.asked.each, draft.asked.rest[stand_in.char_start : stand_in.char_end]
    said = [form for form in draft.asked.rest[stand_in.char_end :].rstrip(" ?.").split() if form.lower() != other]
    turned = f"which {other} {' '.join(said)} "
    return turned + noun, replace(stand_in, char_start=len(turned), char_end=len(turned) + len(noun))
