"""From the wording of a question to what is done after the walk: values of the refine controls, checked on the schema.

What the words ask for is read without a schema (`asking`); here it is held against the pattern that the rest of the
question names and the properties of what that leads to. What does not fit is left out and told as a correction. No word
of the question becomes SQL: the result is controls, whose values are bound.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.analyze import (
    asking,
    being,
    called,
    combining,
    comparing,
    coordinating,
    counting,
    cues,
    dating,
    everything,
    grouping,
    having,
    joining,
    lasting,
    lexicon,
    many,
    meanwhile,
    others,
    overlapping,
    properties,
    quantities,
    sorts,
    spells,
    states,
    textual,
)
from mosaic_sql.analyze.afterwards import TEXT_LIKE, after_walk
from mosaic_sql.analyze.anchoring import SURE
from mosaic_sql.analyze.drafting import (
    WHEN,
    Draft,
    Find,
    Group,
    Path,
    Plan,
    Text,
    blank,
    by_words,
    is_of_schema,
    stems_of,
)
from mosaic_sql.records import Catalogue, Property, Target

__all__ = ["Plan", "plan"]

_OF_ALL = re.compile(
    r"\s*(?:are|is|were|was|do|does|did|have|has)\s+(?:all|every|each|most)\b(?! of (?:it|them))", re.IGNORECASE
)
"""What asks whether something is so of all: no walk says that."""


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
    asked = _Asked(question, catalogue, find, named)
    group = grouping.find(question, [one for one in anchors if one.weight > SURE], catalogue)
    if group is not None and not cues.asks_verdict(question):
        return grouping.told(group, _worded(replace(asked, question=group.question, group=group), anchors))
    return _worded(asked, anchors)


def _worded(asked: _Asked, anchors: Sequence[Target]) -> Plan | None:
    """The plan, where the question may hold texts of properties."""
    texts = textual.find(asked.question, [one for one in anchors if one.weight > SURE], asked.catalogue)
    if texts is not None and texts.held:
        without = replace(asked, question=texts.question, named=texts.moved(asked.named), texts=texts.held)
        found = texts.told(_sorted(without, texts.moved(anchors)))
        if found is not None and (_is_verdict(found) or not cues.asks_verdict(asked.question)):
            return found
    return _sorted(asked, anchors)


def _is_verdict(found: Plan) -> bool:
    """Whether a plan with texts tells yes or no: of a node itself, or of what joins two."""
    named = any(item["attribute"] == "name" for item in found.refine.get("filters", ()))
    return named or found.refine.get("answers_from") == "anchors"


@dataclass(frozen=True)
class _Asked:
    """A question, the schema, how patterns are found, the nodes it may name, and what was read of it before."""

    question: str
    catalogue: Catalogue
    find: Find
    named: Sequence[Target]
    sorts: Sequence[Sequence[Target]] = ()
    texts: Sequence[Text] = ()
    group: Group | None = None


def _sorted(asked: _Asked, anchors: Sequence[Target]) -> Plan | None:
    """The plan, where the noun for the answers may be a node that tells their sort."""
    is_verdict = cues.asks_verdict(asked.question)
    alone = [] if is_verdict or asked.sorts else being.find(asked.question, asked.named, asked.catalogue)
    if alone and being.held(draft := _draft(replace(asked, named=()), alone, alone), alone):
        return _held(draft, asked.question, draft.done())
    sort = None if is_verdict else sorts.find(asked.question, asked.named, asked.catalogue)
    for one in (sort, replace(sort, question=asked.question, width=0)) if sort is not None else ():
        anchors_of_it = [anchor for anchor in one.moved(anchors) if anchor.weight > SURE]
        told = (*asked.sorts, one.targets)
        of_it = replace(asked, question=one.question, named=one.moved(asked.named), sorts=told)
        found = one.told(_sorted(of_it, anchors_of_it))
        if found is not None:
            return found
    return _plan(asked, anchors)


def _plan(asked: _Asked, anchors: Sequence[Target]) -> Plan | None:
    question = asked.question
    if _OF_ALL.match(question):
        return None
    sure = [anchor for anchor in anchors if anchor.weight > SURE]
    words_only = [anchor for anchor in sure if not anchor.alias_key.isdigit()]
    if not words_only and len(sure) == 1 and dating.is_possessor(question, sure[0]):
        words_only = sure  # the author of 1984
    drafts = [_draft(asked, anchors, some) for some in (words_only, sure)]
    if drafts[0].anchors != drafts[1].anchors:  # a number may be a node, and may be but what a cue compares with
        found = _planned(drafts[0], question)
        if found and found.refine and not found.corrections:
            return _held(drafts[0], question, found)
    beside = [one for one in asked.named if one.why in ("exact", "alias") and _is_beside(one, drafts[1])]
    if len(sure) == 1 and len(beside) == 1:
        both = sorted([*sure, *beside], key=lambda one: one.char_start)
        draft = _draft(replace(asked, named=()), both, both)
        if joining.between(draft, question):
            return _held(draft, question, draft.done())
        without = combining.negation(draft)
        if combining.sets(draft, question) if without else combining.meeting(draft, beside[0]):
            after_walk(draft)
            return _held(draft, question, draft.done())
    return _held(drafts[1], question, _planned(drafts[1], question))


def _is_beside(name: Target, draft: Draft) -> bool:
    """Whether a lone word in small letters is a node, and nothing that asks for a relation or a kind: a crime film."""
    forms = [token.form for token in words.tokens(name.name)]
    spoken = bool(lexicon.entries_at(forms, 0)) or is_of_schema(draft, name.name.lower())
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


def _draft(asked: _Asked, anchors: Sequence[Target], sure: Sequence[Target]) -> Draft:
    """The cues of a question outside the names that are sure, and the anchors that are no words of a cue."""
    cued = asking.read(blank(asked.question, sure))
    counting.of_group(cued, asked.catalogue)
    counting.of_name(cued, asked.question, asked.catalogue)
    counting.of_participle(cued, asked.catalogue)
    counting.of_phrase(cued, asked.catalogue)
    lasting.take(cued, asked.catalogue)
    kept = [anchor for anchor in anchors if anchor in sure or cued.rest[anchor.char_start : anchor.char_end].strip()]
    cued.rest = blank(cued.rest, kept)
    others = [other for other in asked.named if other not in kept]
    cued.count = cued.count and asked.group is None
    draft = Draft(cued, kept, asked.catalogue, asked.find, named=others, sorts=asked.sorts, texts=asked.texts)
    draft.group = asked.group
    return draft


def _having(draft: Draft, question: str) -> Draft | None:
    """A draft of a walk whose answers are to have something, with what comes after it; yes or no is no such walk."""
    if not draft.anchors or cues.asks_verdict(question):
        return None
    had = having.held(draft, lambda other: combining.sets(other, question) or combining.meeting(other))
    if had is not None:
        after_walk(had)
    return had


def _planned(draft: Draft, question: str) -> Plan | None:
    kept = draft.anchors
    if kept and draft.asked.each:
        draft.unserved = f"a number for each {draft.asked.each}, and of {kept[0].name} alone, was not understood"
        return draft.done()
    if kept and (many.of_names(draft, question) or meanwhile.overlap(draft)):
        return draft.done()
    closed = cues.asks_verdict(question)
    if (
        joining.how_often(draft, question)
        or joining.between(draft, question)
        or overlapping.of_two(draft)
        or comparing.of_two(draft, question, verdict=closed)
    ):
        return draft.done()
    comparing.with_one(draft)
    kept = draft.anchors
    had = _having(draft, question)
    if had is not None:
        return had.done()
    joined = len(kept) == 1 and (coordinating.relations(draft, kept[0]) or others.left_out(draft, kept[0]))
    if joined or (kept and combining.sets(draft, question)):
        after_walk(draft)
        return draft.done()
    if not kept:
        everything.from_kind(draft)
    elif len(kept) == 1:
        _from_anchor(draft, question)
    elif not closed:
        _from_several(draft)
    elif draft.texts or draft.asked.lasting or any(bound.kind == "date" for bound in draft.asked.bounds):
        _holds_then(draft)
    return draft.done()


# -- one anchor ------------------------------------------------------------------------------------------------------


def _from_anchor(draft: Draft, question: str) -> None:
    """A walk and what comes after it, or what is asked of the anchor itself."""
    (anchor,) = draft.anchors
    if cues.asks_verdict(question):
        if textual.of_anchor(draft, anchor) or states.of_anchor(draft, anchor):
            return
        if draft.asked.sort:
            most = " ".join(draft.asked.sort.words.split())
            draft.unserved = f"whether {anchor.name} is “{most}” was not understood; ask which is"
            return
    elif everything.per_node(draft):
        return
    own = properties.of_nodes(anchor.kinds, draft.catalogue)
    found = _asked_of(draft, own)
    beside = draft.sorts or draft.texts or draft.group or draft.asked.lasting or called.doing(draft)
    plain = draft.asked.is_plain and not (beside or many.is_every(anchor))
    if found is None and plain and not _may_read(draft):
        return
    path = _path(draft, anchor) or quantities.to_measured(draft, anchor)
    said = _said_by(draft, found, anchor, closed=cues.asks_verdict(question)) if found else set[str]()
    if found and draft.asked.is_plain and quantities.asks_for_nodes(draft, found, may_list=path is not None):
        return
    if found and (path is None or set(path.words) <= said):
        draft.refine.update(answers_from="anchors", attribute=found.name, attribute_owner="node")
        if draft.asked.overall and found.type == "number":
            draft.refine["aggregate"] = draft.asked.overall
        draft.reasons.append(f"{found.name} of {anchor.name}")
        return
    _walked(draft, anchor, path)


def _walked(draft: Draft, anchor: Target, path: Path | None) -> None:
    """A walk from the anchor and what comes after it; for want of a path, what it was to be sorted by is told."""
    if path is not None:
        draft.asked.count &= not quantities.is_number(path, draft.catalogue)
        draft.walk(path, anchor.kinds)
        after_walk(draft)
        many.each_of(draft, anchor)
    elif draft.asked.sort and draft.asked.sort.noun.endswith((" year", " date", " time")):
        draft.refuse(draft.asked.sort.words, "what is to be sorted by it was not understood")


def _from_several(draft: Draft) -> None:
    """What several anchors have themselves, or lead to alike; a comparison that neither serves is told."""
    if spells.between(draft):
        return
    _of_each(draft)
    if draft.refine:
        return
    if combining.meeting(draft):
        after_walk(draft)
    elif draft.asked.bounds:
        said = " and ".join(bound.words.strip() for bound in draft.asked.bounds)
        draft.refuse(said, "what it is compared with was not understood")
    elif draft.asked.lasting:
        draft.refuse(draft.asked.lasting, "of several names at once it was not understood")


def _holds_then(draft: Draft) -> None:
    """Whether one thing led to another at a time: the walk from the first, held to the name of the second."""
    first, *others = draft.anchors
    path = by_words(draft, draft.asked.rest, first)
    if path is not None and len(others) == 1:
        draft.walk(path, first.kinds)
        after_walk(draft)
    held = "during" in draft.refine or ((draft.texts or draft.asked.lasting) and draft.refine.get("filters"))
    if held and draft.kinds & set(others[0].kinds):
        draft.hold("name", "=", value=others[0].node_names[0])
        draft.anchors = [first]
        return
    draft.refine.clear()
    if not draft.asked.bounds:
        return
    said = " and ".join(bound.words.strip() for bound in draft.asked.bounds)
    draft.refuse(said, f"no time is told of how {' and '.join(one.name for one in draft.anchors)} hang together")


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
    when = WHEN.search(draft.asked.rest)
    rest = draft.asked.rest
    return by_words(draft, words.blanked(rest, *when.span()), anchor) if when else spells.of_one(draft, anchor)


def _said_by(draft: Draft, found: Property, anchor: Target, *, closed: bool) -> set[str]:
    """The stems that a property answers to; the kind of an anchor of which yes or no is asked is no path from it."""
    when = WHEN.search(draft.asked.rest)
    said = {*properties.stems(found.name), *properties.time_verbs(draft.asked.rest), *stems_of(when[0] if when else "")}
    if closed and found.type == "bool":
        said |= {stem for kind in anchor.kinds for stem in (*properties.stems(kind), *words.like_kind(kind))}
    return said


def _asked_of(draft: Draft, own: Sequence[Property]) -> Property | None:
    """The property of the anchor that is asked for: by its name, by `how tall`, by `how many inhabitants`."""
    asked = draft.asked
    if asked.sort or asked.often or asked.bounds:
        return None
    if asked.how:
        told = properties.mentioned(stems_of(asked.rest), own, ("number",))  # how long is the half life of it
        return told or properties.by_family(asked.how, own)
    if asked.count:
        nouns = words.tokens(asked.rest)
        return properties.by_noun(nouns[0].form, own) if nouns else None
    if WHEN.search(asked.rest):
        dates = [one for one in own if one.type == "date"]
        verbs = [stem for stem in stems_of(asked.rest) if stem not in ("year", "date", "dai", "time")]
        named = [one for one in dates if any(words.alike(s, v) for s in properties.stems(one.name) for v in verbs)]
        if not named and properties.time_verbs(draft.asked.rest):
            named = [
                one for one in dates if set(properties.stems(one.name)) <= {"year", "date", "time"} | properties.YEARS
            ]
        return named[0] if named else None
    return properties.mentioned(stems_of(asked.rest), own, TEXT_LIKE)


def _may_read(draft: Draft) -> bool:
    """Whether the question could ask for a property of whatever a walk finds; without, no pattern is looked for."""
    own = [one for one in draft.catalogue.properties if one.owner != "relation"]
    dated = any(one.owner == "edge" and one.type == "date" for one in own)
    asks_when = dated and bool(WHEN.search(draft.asked.rest))
    if states.opposite(draft.asked.rest, own):
        return True
    return asks_when or properties.mentioned(stems_of(draft.asked.rest), own, TEXT_LIKE) is not None
