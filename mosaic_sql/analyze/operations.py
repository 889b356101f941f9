"""From the wording of a question to what is done after the walk: values of the refine controls, checked on the schema.

What the words ask for is read without a schema (`asking`); here it is held against the pattern that the rest of the
question names and the properties of what that leads to. What does not fit is left out and told as a correction. No word
of the question becomes SQL: the result is controls, whose values are bound.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.analyze import (
    asking,
    combining,
    comparing,
    coordinating,
    cues,
    dating,
    lexicon,
    others,
    properties,
    schema,
)
from mosaic_sql.analyze.drafting import Draft, Find, Path, Plan, blank, by_words, kind_in, stems_of
from mosaic_sql.analyze.families import SIZE, TIME
from mosaic_sql.records import Catalogue, Property, Target

__all__ = ["Plan", "plan"]

_WHEN = re.compile(r"\b(when|(?:what|which) (?:year|date|day|time))\b", re.I)
_TEXT_LIKE = ("number", "date", "text", "bool")


def plan(
    question: str, anchors: Sequence[Target], catalogue: Catalogue, find: Find, *, named: Sequence[Target] = ()
) -> Plan | None:
    """What a question asks after its walk; None where it asks nothing, or nothing that the schema can serve.

    Args:
        question: the question.
        anchors: the nodes it means; those that are but words of a cue are left out.
        catalogue: kinds, relations and properties of the graph.
        find: the pattern that words name from an anchor.
        named: further nodes that the question may name, such as a lone common word.
    """
    if not catalogue.edge_count and not catalogue.properties:
        return None
    sure = [anchor for anchor in anchors if anchor.weight > 0.3]
    words_only = [anchor for anchor in sure if not anchor.alias_key.isdigit()]
    if not words_only and len(sure) == 1 and dating.is_possessor(question, sure[0]):
        words_only = sure  # the author of 1984
    drafts = [_draft(question, anchors, some, catalogue, find, named) for some in (words_only, sure)]
    if drafts[0].anchors != drafts[1].anchors:  # a number may be a node, and may be but what a cue compares with
        found = _planned(drafts[0], question)
        if found and found.refine and not found.corrections:
            return _held(drafts[0], question, found)
    beside = [one for one in named if one.why in ("exact", "alias") and _is_beside(one, drafts[1])]
    if len(sure) == 1 and len(beside) == 1:
        both = sorted([*sure, *beside], key=lambda one: one.char_start)
        draft = _draft(question, both, both, catalogue, find, ())
        if combining.meeting(draft, beside[0]):
            _after_walk(draft)
            return _held(draft, question, draft.done())
    return _held(drafts[1], question, _planned(drafts[1], question))


def _is_beside(name: Target, draft: Draft) -> bool:
    """Whether a lone word in small letters is a node, and nothing that asks for a relation or a kind: a crime film."""
    forms = [token.form for token in words.tokens(name.name)]
    spoken = bool(lexicon.entries_at(forms, 0)) or _is_of_schema(draft, name.name.lower())
    return name not in draft.anchors and not spoken and not name.alias_key.isdigit()


def _held(draft: Draft, question: str, found: Plan | None) -> Plan | None:
    """The plan; where it leaves a part of the question unserved, that: any answer would be to another question."""
    refused = found.corrections if found else ()
    said = combining.negation(draft)
    reason = found.unresolved if found else ""
    if said and not draft.negated and not cues.asks_verdict(question):
        reason = f"“{said}” leaves something out, and what that is was not understood"
    elif refused and not reason:
        reason = "; ".join(f"“{one.proposed}”: {one.reason}" for one in refused)
    return Plan(None, (), {}, "", refused, unresolved=reason) if reason else found


def _draft(
    question: str,
    anchors: Sequence[Target],
    sure: Sequence[Target],
    catalogue: Catalogue,
    find: Find,
    named: Sequence[Target],
) -> Draft:
    """The cues of a question outside the names that are sure, and the anchors that are no words of a cue."""
    asked = asking.read(blank(question, sure))
    kept = [anchor for anchor in anchors if anchor in sure or asked.rest[anchor.char_start : anchor.char_end].strip()]
    asked.rest = blank(asked.rest, kept)
    return Draft(asked, kept, catalogue, find, named=[other for other in named if other not in kept])


def _planned(draft: Draft, question: str) -> Plan | None:
    kept = draft.anchors
    if kept and draft.asked.each:
        draft.unserved = f"a number for each {draft.asked.each}, and of {kept[0].name} alone, was not understood"
        return draft.done()
    if kept and combining.overlap(draft):
        return draft.done()
    if comparing.of_two(draft, question, verdict=cues.asks_verdict(question)):
        return draft.done()
    if comparing.with_one(draft):
        return draft.done()
    joined = len(kept) == 1 and (coordinating.relations(draft, kept[0]) or others.left_out(draft, kept[0]))
    if joined or (kept and combining.sets(draft, question)):
        _after_walk(draft)
        return draft.done()
    if not kept:
        _from_kind(draft)
    elif len(kept) == 1:
        _from_anchor(draft)
    elif not cues.asks_verdict(question):
        _of_each(draft)
        if not draft.refine and combining.meeting(draft):
            _after_walk(draft)
    return draft.done()


# -- one anchor ------------------------------------------------------------------------------------------------------


def _from_anchor(draft: Draft) -> None:
    """A walk and what comes after it, or what is asked of the anchor itself."""
    (anchor,) = draft.anchors
    own = [one for one in draft.catalogue.properties if one.owner == "node" and one.label in anchor.kinds]
    found = _asked_of(draft, own)
    if found is None and draft.asked.is_plain and not _may_read(draft):
        return
    path = _path(draft, anchor)
    said = {*properties.stems(found.name), *properties.time_verbs(draft.asked.rest)} if found else set[str]()
    if found and (path is None or set(path.words) <= said):
        draft.refine.update(answers_from="anchors", attribute=found.name, attribute_owner="node")
        draft.reasons.append(f"{found.name} of {anchor.name}")
        return
    if path is not None:
        draft.walk(path, anchor.kinds)
        _after_walk(draft)


def _of_each(draft: Draft) -> None:
    """What is asked of several anchors themselves, where the question says nothing else: the population of A and B."""
    found = _asked_of(draft, comparing.common(draft))
    if found is None:
        return
    draft.refine.update(answers_from="anchors", attribute=found.name, attribute_owner=found.owner)
    draft.reasons.append(f"{found.name} of {' and '.join(anchor.name for anchor in draft.anchors)}")
    if {words.stem(form) for form in draft.unread()} - properties.time_verbs(draft.asked.rest):
        draft.refine.clear()


def _path(draft: Draft, anchor: Target) -> Path | None:
    """The pattern of one anchor; for want of one that ends in a time, one whose edges or answers may have it."""
    found = by_words(draft, dating.without_compared(draft), anchor) or by_words(draft, draft.asked.rest, anchor)
    if found is not None or not any(
        one.owner != "relation" and one.type == "date" for one in draft.catalogue.properties
    ):
        return found
    when = _WHEN.search(draft.asked.rest)
    rest = draft.asked.rest
    return by_words(draft, rest[: when.start()] + " " * len(when[0]) + rest[when.end() :], anchor) if when else None


def _asked_of(draft: Draft, own: Sequence[Property]) -> Property | None:
    """The property of the anchor that is asked for: by its name, by `how tall`, by `how many inhabitants`."""
    asked = draft.asked
    if asked.sort or asked.often or asked.bounds:
        return None
    if asked.how:
        return properties.by_family(asked.how, own)
    if asked.count:
        nouns = words.tokens(asked.rest)
        return properties.by_noun(nouns[0].form, own) if nouns else None
    if _WHEN.search(asked.rest):
        dates = [one for one in own if one.type == "date"]
        verbs = [stem for stem in stems_of(asked.rest) if stem not in ("year", "date", "dai", "time")]
        named = [one for one in dates if any(words.alike(s, v) for s in properties.stems(one.name) for v in verbs)]
        if not named and properties.time_verbs(draft.asked.rest):
            named = [one for one in dates if set(properties.stems(one.name)) <= {"year", "date", "time"}]
        return named[0] if named else None
    return properties.mentioned(stems_of(asked.rest), own, _TEXT_LIKE)


def _after_walk(draft: Draft) -> None:
    """Order, groups, comparisons, count, and what is read of the answers."""
    asked = draft.asked
    if len(asked.bounds) > 1 and len(draft.anchors) < 2 and re.search(r"\bor\b", asked.rest, re.IGNORECASE):
        draft.refuse(" or ".join(bound.words for bound in asked.bounds), "either of two comparisons is not served")
        return
    if asked.sort:
        _sort(draft, asked.sort)
    for bound in asked.bounds:
        _bound(draft, bound)
    if asked.often:
        draft.refine.update(having=asked.often.compare, having_count=asked.often.count)
        draft.reasons.append(
            f"reached {asked.often.compare} {asked.often.count} times, from: {asked.often.words.strip()}"
        )
    if asked.count:
        draft.refine["count_only"] = True
        if _counts_edges(draft):
            draft.refine["row_per"] = "edge"
        draft.reasons.append("their number")
    if "attribute" not in draft.refine and not asked.count:
        _read(draft)
    if asked.overall:
        _overall(draft)


def _overall(draft: Draft) -> None:
    """The sum or the mean of the number that is read of the answers."""
    name = draft.refine.get("attribute")
    if any(one.name == name and one.type == "number" for one in draft.known):
        draft.refine["aggregate"] = draft.asked.overall
        draft.reasons.append(f"the {draft.asked.overall} of it")
    else:
        draft.refuse(draft.asked.overall, "no number among the properties of the answers goes with it")


def _counts_edges(draft: Draft) -> bool:
    """Whether what is counted is named by the last relation and is no kind: how many titles, of a `won_title`."""
    tokens = words.tokens(draft.asked.rest)
    if not tokens or draft.pattern is None:
        return False
    stem = words.stem(tokens[0].form)
    last = properties.ends(draft.pattern, [kind for one in draft.anchors for kind in one.kinds], draft.catalogue)
    of_kind = any(stem in properties.stems(kind) for kind in last.kinds)
    return not of_kind and any(stem in properties.stems(relation) for relation in last.relations)


def _may_read(draft: Draft) -> bool:
    """Whether the question could ask for a property of whatever a walk finds; without, no pattern is looked for."""
    own = [one for one in draft.catalogue.properties if one.owner != "relation"]
    dated = any(one.owner == "edge" and one.type == "date" for one in own)
    asks_when = dated and bool(_WHEN.search(draft.asked.rest))
    return asks_when or properties.mentioned(stems_of(draft.asked.rest), own, _TEXT_LIKE) is not None


def _read(draft: Draft) -> None:
    """An attribute of the answers that the question names beside the path, or the date of the edge for a `when`."""
    free = [stem for stem in stems_of(draft.asked.rest) if stem not in draft.spoken]
    own = [one for one in draft.known if one.owner != "relation"]
    found = properties.mentioned(free, own, _TEXT_LIKE)
    if found is None and _WHEN.search(draft.asked.rest):
        found = properties.date(free, [one for one in own if one.owner == "edge"])
    if found is not None:
        draft.refine.update(attribute=found.name, attribute_owner=found.owner)
        draft.reasons.append(f"with their {found.name}")


def _sort(draft: Draft, sort: asking.Sort) -> None:
    if sort.noun and sort.family and _on_the_way(draft, sort.noun):
        draft.refuse(sort.words, f"`{sort.noun}` is on the way, not what is asked for")
        return
    cut = {
        "descending": sort.descending,
        **({"offset": sort.offset} if sort.offset else {}),
        **({"limit": sort.limit} if sort.limit else {}),
        **({"extreme": True} if sort.extreme else {}),
    }
    found = properties.by_noun(sort.noun, draft.known) if sort.noun else None
    if found is None and sort.family:
        found = properties.by_family(sort.family, draft.known) or _only(sort, draft.known)
    if found is not None:
        per_edge = {"row_per": "edge"} if found.owner == "edge" and sort.family == TIME else {}
        draft.refine.update(sort_by="attribute", attribute=found.name, attribute_owner=found.owner, **cut, **per_edge)
        order = "descending" if sort.descending else "ascending"
        draft.reasons.append(f"by {found.name} {order}, from: {' '.join(sort.words.split())}")
    elif sort.often or (sort.extreme and not sort.family and _is_of_schema(draft, sort.noun)):
        draft.refine.update(sort_by="edges", **cut)
        draft.reasons.append(f"by how often they are reached, from: {' '.join(sort.words.split())}")
    else:
        have = ", ".join(sorted({one.name for one in draft.known if one.type in ("number", "date")})) or "none"
        draft.refuse(sort.words, f"no property of the answers goes with it; with an order: {have}")


def _only(sort: asking.Sort, known: Sequence[Property]) -> Property | None:
    """The one number, or for a time the one date, that the answers have."""
    wanted = ("date",) if sort.family == TIME else ("number",) if sort.family == SIZE else ()
    found = {one.name: one for one in known if one.type in wanted}
    return next(iter(found.values())) if len(found) == 1 else None


def _on_the_way(draft: Draft, noun: str) -> bool:
    """Whether a noun is a kind of the schema that is passed, while the answers are of other kinds."""
    stem = words.stem(noun)
    kinds = {kind for kind in draft.catalogue.kinds if stem in properties.stems(kind)}
    if not kinds or draft.pattern is None:
        return False
    kinds_of_anchor = [kind for anchor in draft.anchors for kind in anchor.kinds]
    last = properties.ends(draft.pattern, kinds_of_anchor, draft.catalogue)
    return not kinds & last.kinds and not any(stem in properties.stems(relation) for relation in last.relations)


def _is_of_schema(draft: Draft, noun: str) -> bool:
    stem = words.stem(noun)
    names = [*draft.catalogue.kinds, *(relation for _, relation in draft.catalogue.relations)]
    return any(words.alike(stem, other) for name in names for other in properties.stems(name))


def _bound(draft: Draft, bound: asking.Bound) -> None:
    asked = stems_of(draft.asked.rest)
    if bound.kind == "date":
        found = properties.date(asked, draft.known)
    else:
        found = properties.by_noun(bound.noun, draft.known) if bound.noun else None
        found = found or properties.mentioned(asked, draft.known, ("number",))
        if found is None and bound.noun and bound.high is None and _is_of_schema(draft, bound.noun):
            often = asking.as_often(bound)
            draft.refine.update(having=often.compare, having_count=often.count)
            draft.reasons.append(f"reached {often.compare} {often.count} times, from: {bound.words.strip()}")
            return
    if found is not None and bound.kind == "date" and dating.of_another(draft, found, asked):
        draft.refuse(bound.words, f"it is compared with what stands on the way, not with {found.name} of the answers")
        return
    if found is None:
        draft.refuse(bound.words, f"no {bound.kind} among the properties of the answers goes with it")
        return
    item = {"attribute": found.name, "compare": bound.compare, "value": bound.value, "high": bound.high}
    draft.refine["filters"] = (*draft.refine.get("filters", ()), item)
    high = f" and {bound.high}" if bound.high else ""
    draft.reasons.append(f"{found.name} {bound.compare} {bound.value}{high}, from: {' '.join(bound.words.split())}")


# -- no anchor: all nodes of a kind ----------------------------------------------------------------------------------


def _from_kind(draft: Draft) -> None:
    asked = draft.asked
    kind, counted = kind_in(asked.rest, draft.catalogue), _counted_kind(draft)
    if kind is not None and asked.each:
        if not comparing.each(draft, _stand_in(kind, asked.rest), kind):
            draft.unserved = f"how {asked.each} and {kind} hang together was not understood"
        return
    if asked.is_plain:
        _all_of(draft, kind)
        return
    if kind is None and counted is None:
        return
    if counted is not None:
        _per_answer(draft, counted, kind)
    elif kind is not None:
        draft.reasons.append(f"every {kind}")
        draft.known = properties.of(properties.Ends(frozenset({kind}), frozenset()), draft.catalogue)
        _after_walk(draft)
        if draft.refine:
            draft.refine.update(answers_from="kind", source_kind=kind)


def _all_of(draft: Draft, kind: str | None) -> None:
    """All nodes of a kind, where the question says nothing else: list all cities, what films are there."""
    if kind is None or draft.named or kind in schema.inferred_kinds(draft.catalogue):
        return
    draft.refine.update(answers_from="kind", source_kind=kind)
    draft.reasons.append(f"every {kind}")
    if draft.unread():
        draft.refine.clear()


def _per_answer(draft: Draft, counted: str, kind: str | None) -> None:
    """A walk from all nodes of the kind that is counted for each answer."""
    start = _stand_in(counted, draft.asked.rest)
    path = by_words(draft, draft.asked.rest, start)
    last = properties.ends(path.pattern, start.kinds, draft.catalogue).kinds if path else frozenset()
    if path is None or (kind not in (None, counted) and kind not in last):
        return
    draft.reasons.append(f"every {counted}")
    draft.walk(path, start.kinds)
    _after_walk(draft)
    if draft.refine:
        draft.refine["source_kind"] = counted


def _counted_kind(draft: Draft) -> str | None:
    """The kind whose nodes are counted for each answer: the most films, in more than two films."""
    asked = draft.asked
    nouns = [asked.sort.noun] if asked.sort and not asked.sort.family else []
    nouns += [bound.noun for bound in asked.bounds if bound.kind == "number"]
    found = [kind_in(noun, draft.catalogue) for noun in nouns if noun]
    return next((kind for kind in found if kind is not None), None)


def _stand_in(kind: str, said: str) -> Target:
    """All nodes of a kind in the place of an anchor: the noun for it is its name."""
    wanted = properties.stems(kind)
    nouns = [token for token in words.tokens(said) if words.stem(token.form) in wanted]
    start, end = (nouns[0].start, nouns[-1].end) if len(nouns) == len(wanted) else (0, 0)
    return Target(0, kind, words.normalise(kind), 1.0, (), (), start, end, "kind", origin="graph", kinds=(kind,))
