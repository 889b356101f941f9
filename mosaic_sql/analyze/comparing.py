"""What is asked of several nodes at once: which of two has more of something, and the number of something for each."""

from __future__ import annotations

import re
from dataclasses import replace

from mosaic_sql import text as words
from mosaic_sql.analyze import called, counting, overlapping, properties
from mosaic_sql.analyze.asking import Sort
from mosaic_sql.analyze.drafting import Draft, by_words, kinds_in, stems_of
from mosaic_sql.analyze.families import COMPARATIVES, TIME
from mosaic_sql.records import Compared, Property, Target

_THAN = re.compile(r"\bthan(?: the)?(?: \w+)?$", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|after|since)(?: the)?(?: \w+)?$", re.IGNORECASE)
_OF_TWO = re.compile(
    rf"\b(?:the )?(?:(?P<word>{'|'.join(sorted(COMPARATIVES, key=len, reverse=True))})|(?P<more>more|less|fewer))\b"
    r"(?: (?P<noun>(?!than\b|or\b)\w+))?(?: than\b)?",
    re.IGNORECASE,
)


def sort_of_two(rest: str) -> Sort | None:
    """Which of two things has more of something: of a family of properties, or of what a noun names."""
    match = _OF_TWO.search(rest)
    if match is None or not (match["word"] or match["noun"]):
        return None
    family, down = COMPARATIVES[match["word"].lower()] if match["word"] else (None, match["more"].lower() == "more")
    return Sort(match[0], down, family, (match["noun"] or "").lower())


def of_two(draft: Draft, question: str, *, verdict: bool) -> bool:
    """Which of the anchors is longer, older, bigger; all in order where the question wants yes or no.

    A comparison that no property serves is told as such: how the two hang together is no answer to it.
    """
    if len(draft.anchors) < 2 or (
        not verdict and _THAN.search(draft.asked.rest[: draft.anchors[-1].char_start].rstrip())
    ):
        return False
    between = draft.asked.rest[draft.anchors[0].char_end : draft.anchors[-1].char_start]
    chosen = between.strip(" ,").lower() == "or"  # one of the two is the answer, not yes or no
    best = draft.asked.sort if chosen else None  # the largest, A or B
    sort = best or (sort_of_two(draft.asked.rest) if draft.asked.is_plain else None)
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
        **({} if verdict and not chosen else {"extreme": True}),
    )
    draft.reasons.append(f"{together} by {found.name}, from: {' '.join(sort.words.split())}")
    return True


def with_one(draft: Draft) -> None:
    """Take the node that something is compared with (films longer than X) out of the anchors; `hold` compares.

    Till then it is told that the comparison was not understood.
    """
    if overlapping.take(draft):
        return
    sort = sort_of_two(draft.asked.rest)
    compared = _THAN if sort else _BEFORE
    for anchor in draft.anchors:
        before = draft.asked.rest[: anchor.char_start].rstrip()
        match = compared.search(before)
        if match is None:
            continue
        start = before.rfind(sort.words.split()[0]) if sort else match.start()
        rest, said = draft.asked.rest, before[start:]
        draft.asked.rest = words.blanked(rest, start, len(before))
        draft.asked.than = (
            replace(sort, words=said) if sort else Sort(said, said.lower().startswith(("after", "since")))
        )
        draft.other, draft.anchors = anchor, [one for one in draft.anchors if one is not anchor]
        draft.unserved = f"a comparison with what {anchor.name} has was not understood"
        return


def hold(draft: Draft) -> None:
    """Only answers that compare as is said with what another node has; told where no property tells it of both."""
    than, other = draft.asked.than, draft.other
    if than is None or other is None or (than.often and overlapping.hold(draft)):
        return
    known = {one.name for one in draft.catalogue.properties if one.owner != "edge" and one.label in other.kinds}
    own = [one for one in draft.known if one.owner != "edge" and one.name in known]
    found = _compared(draft, than, own)
    draft.unserved = ""
    if found is None:
        draft.refuse(f"{than.words} {other.name}", f"no property of the answers and of {other.name} tells it")
        return
    sign = (">" if than.descending else "<") + ("=" if than.words.lower().startswith("since") else "")
    draft.compared = (Compared(other, found.name, found.owner, sign),)
    draft.hold(found.name, "present")
    if "attribute" not in draft.refine:
        draft.refine.update(attribute=found.name, attribute_owner=found.owner)
    draft.reasons.append(f"{found.name} {sign} that of {other.name}, from: {than.words}")


def _compared(draft: Draft, than: Sort, own: list[Property]) -> Property | None:
    if than.noun:
        return properties.by_noun(than.noun, own)
    if than.family and than.family != TIME:
        return properties.by_family(than.family, own)
    rest = draft.asked.rest
    return properties.date(stems_of(rest), own, properties.time_families(rest))


def common(draft: Draft) -> list[Property]:
    """The properties that every anchor may have."""
    return [
        one
        for one in draft.catalogue.properties
        if one.owner != "edge" and all(one.label in anchor.kinds for anchor in draft.anchors)
    ]


def _property(draft: Draft, sort: Sort) -> Property | None:
    """What is compared: a property that every anchor may have."""
    own = common(draft)
    named = properties.by_noun(sort.noun, own) if sort.noun else None
    return named or (properties.by_family(sort.family, own) if sort.family else None)


def each(draft: Draft, stand_in: Target, counted: str) -> bool:
    """How many of a kind there are for each of another: a walk from all of them, by how often each is reached."""
    wanted = {kind for kind in kinds_in(draft.asked.each, draft.catalogue) if kind != counted}
    for text, start in ((draft.asked.rest, stand_in), _asked_for(draft, stand_in)):
        path = by_words(draft, text, start)
        path = counting.called_so(draft, counted, next(iter(sorted(wanted)), None), path) or path
        ends = properties.ends(path.pattern, start.kinds, draft.catalogue).kinds if path else frozenset[str]()
        fits = not wanted and counted not in ends and called.fits(draft.asked.each, ends, draft.catalogue)
        if path is not None and (fits or ends & wanted):
            draft.walk(path, start.kinds)
            draft.refine.update(source_kind=counted, sort_by="starts")
            draft.reasons.append(f"every {counted}, their number for each {draft.asked.each}")
            return True
    return False


def _asked_for(draft: Draft, stand_in: Target) -> tuple[str, Target]:
    """The question turned round, which of the others: which author wrote papers."""
    other, noun = draft.asked.each, draft.asked.rest[stand_in.char_start : stand_in.char_end]
    said = [form for form in draft.asked.rest[stand_in.char_end :].rstrip(" ?.").split() if form.lower() != other]
    turned = f"which {other} {' '.join(said)} "
    return turned + noun, replace(stand_in, char_start=len(turned), char_end=len(turned) + len(noun))
