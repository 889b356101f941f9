"""What is done with the nodes that a walk found: from cues to controls, held against what the nodes have.

A cue that no property and no step of the schema answers to is told as a correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mosaic_sql import text as words
from mosaic_sql.analyze import (
    asking,
    called,
    comparing,
    converse,
    counting,
    dating,
    grouping,
    lasting,
    lexicon,
    properties,
    sorts,
    states,
    textual,
)
from mosaic_sql.analyze.amounts import shown
from mosaic_sql.analyze.drafting import WHEN, Draft, stems_of
from mosaic_sql.analyze.families import AGE, SIZE, TIME, Family
from mosaic_sql.records import Property

_BIRTH = frozenset(map(words.stem, ("born", "birth")))
_PLACES = frozenset(map(words.stem, ("position", "order", "ordinal", "sequence", "rank", "place")))
"""Words of the properties that tell the place of an edge among others."""
TEXT_LIKE = ("number", "date", "text", "bool")


def after_walk(draft: Draft) -> None:
    """Order, groups, comparisons, count, and what is read of the answers."""
    asked = draft.asked
    if len(asked.bounds) > 1 and len(draft.anchors) < 2 and re.search(r"\bor\b", asked.rest, re.IGNORECASE):
        draft.refuse(" or ".join(bound.words for bound in asked.bounds), "either of two comparisons is not served")
        return
    if asked.sort:
        _sort(draft, asked.sort)
    for bound in asked.bounds:
        compare(draft, bound)
    states.hold(draft, draft.known)
    states.flagged(draft)
    lasting.hold(draft)
    sorts.hold(draft)
    called.hold_doing(draft)
    textual.hold(draft)
    comparing.hold(draft)
    if asked.often:
        draft.refine.update(having=asked.often.compare, having_count=asked.often.count)
        draft.reasons.append(
            f"reached {asked.often.compare} {asked.often.count} times, from: {asked.often.words.strip()}"
        )
    if asked.count and (total := _total(draft)):
        draft.refine.update(attribute=total.name, attribute_owner=total.owner, aggregate="sum")
        draft.reasons.append(f"the sum of {total.name}")
    elif asked.count:
        draft.refine["count_only"] = True
        if _counts_edges(draft):
            draft.refine["row_per"] = "edge"
        draft.reasons.append("their number")
    grouping.hold(draft)
    if "attribute" not in draft.refine and not asked.count:
        _read(draft)
    if asked.overall:
        _overall(draft)


def _total(draft: Draft) -> Property | None:
    """The number of the answers that is to be added up: how many pages the books by A have, which are no nodes."""
    tokens = words.tokens(draft.asked.rest)
    noun = tokens[0].form if tokens else ""
    of_kind = any(words.stem(noun) in properties.stems(kind) for kind in draft.kinds)
    if not noun or of_kind or words.stem(noun) in draft.spoken:
        return None
    return properties.by_noun(noun, [one for one in draft.known if one.owner == "node" and one.type == "number"])


def _overall(draft: Draft) -> None:
    """The sum or the mean of the number that is read of the answers."""
    name = draft.refine.get("attribute")
    if any(one.name == name and one.type == "number" for one in draft.known):
        draft.refine["aggregate"] = draft.asked.overall
        if draft.refine.get("attribute_owner") == "edge":  # each of several edges to one node
            draft.refine["row_per"] = "edge"
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
    of_kind |= not last.relations.isdisjoint(converse.same(draft.catalogue))  # one fact may be two edges
    families = lexicon.lexicon().families
    in_role = any(e.role == "one" and families[e.family].asks == "who" for e in lexicon.entries_at([tokens[0].form], 0))
    return not (of_kind or in_role) and any(stem in properties.stems(relation) for relation in last.relations)


def _read(draft: Draft) -> None:
    """An attribute of the answers that the question names beside the path, or the date of the edge for a `when`."""
    free = [stem for stem in stems_of(draft.asked.rest) if stem not in draft.spoken]
    own = [one for one in draft.known if one.owner != "relation"]
    held = {item["attribute"] for item in draft.refine.get("filters", ())}
    others = [one for one in own if one.name not in held]
    types = ("number",) if draft.asked.overall else TEXT_LIKE
    found = properties.mentioned(free, others, types) or properties.mentioned(free, own, TEXT_LIKE)
    if found is None and WHEN.search(draft.asked.rest):
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
    if found is None and sort.noun and sort.family == TIME and " " in sort.noun:
        draft.refuse(sort.words, f"no date of the answers is called {sort.noun}")
        return
    if found is None and " " in sort.noun:  # by number of citations; any other phrase counts nothing
        sort = replace(sort, noun=sort.noun.removeprefix("number of ") if sort.noun.count(" ") == 2 else "")
    if found is None and sort.family:
        found = _of_start(draft, sort) or _in_order(draft, sort, sort.family)
        if found is not None and _is_by_birth(draft, sort, found):
            draft.refuse(sort.words, "no order of the answers is told but that of their births")
            return
    if found is not None:
        per_edge = {"row_per": "edge"} if found.owner == "edge" and sort.family == TIME else {}
        draft.refine.update(sort_by="attribute", attribute=found.name, attribute_owner=found.owner, **cut, **per_edge)
        order = "descending" if sort.descending else "ascending"
        draft.reasons.append(f"by {found.name} {order}, from: {' '.join(sort.words.split())}")
    elif valued := _asks_for_value(draft):
        draft.refuse(sort.words, f"`{valued}` is a property, and how often it holds each of its values is not counted")
    elif counted := counting.of_answers(draft, sort):
        draft.refine.update(sort_by=counted, **cut)
        draft.reasons.append(f"by {_told(draft, counted)}, from: {' '.join(sort.words.split())}")
    else:
        have = ", ".join(sorted({one.name for one in draft.known if one.type in ("number", "date")})) or "none"
        draft.refuse(sort.words, f"no property of the answers goes with it; with an order: {have}")


def _asks_for_value(draft: Draft) -> str:
    """The property of what is counted that the question asks for in the place of a kind: which country has the most."""
    asked = re.match(r"\W*(?:which|what) (\w+)", draft.asked.rest, re.IGNORECASE)
    stem = words.stem(asked[1].lower()) if asked else ""
    kinds = {draft.per, *(kind for anchor in draft.anchors for kind in anchor.kinds)}
    own = properties.of_nodes(kinds - draft.kinds, draft.catalogue)
    named = next((one.name for one in own if stem in properties.stems(one.name)), "")
    of_kind = any(stem in {*properties.stems(kind), *words.like_kind(kind)} for kind in draft.kinds)
    return named if stem and not of_kind else ""


def _in_order(draft: Draft, sort: asking.Sort, family: Family) -> Property | None:
    """The number or date of a cue's family, of a date the one that a verb speaks of: died first."""
    text = dating.beside(draft.asked.rest, draft.pattern)
    said = properties.time_families(text) if family == TIME else frozenset[str]()
    known = properties.happening(draft.known, said)
    told = properties.date(stems_of(text), known, said) if said else None
    return told or properties.by_family(family, known) or _only(sort, known)


def _of_start(draft: Draft, sort: asking.Sort) -> Property | None:
    """Where the first or the last is asked for and else a birth tells: the place on the edges, or when they start."""
    found = properties.by_family(sort.family, draft.known) if sort.family == TIME else None
    if found is None or not _is_by_birth(draft, sort, found):
        return None
    edges = [one for one in draft.known if one.owner == "edge"]
    placed = [one for one in edges if one.type == "number" and _PLACES.intersection(properties.stems(one.name))]
    return next(iter([*placed, *properties.starts(edges)]), None)


def _is_by_birth(draft: Draft, sort: asking.Sort, found: Property) -> bool:
    """Whether it is a birth that would tell who is first or last of the answers, and nothing is said of being born."""
    born = sort.family == TIME and bool(_BIRTH.intersection(properties.stems(found.name)))
    said = not _BIRTH.isdisjoint(stems_of(draft.asked.rest))
    return born and not said and bool(re.search(r"\b(first|last|\w+(nd|rd|th)|second)\b", sort.words, re.IGNORECASE))


def _told(draft: Draft, counted: str) -> str:
    return f"their edges {draft.refine['degree_of']}" if counted == "degree" else "how often they are reached"


def _only(sort: asking.Sort, known: Sequence[Property]) -> Property | None:
    """The one number, or for a time the one date, that the answers have."""
    wanted = ("date",) if sort.family in (AGE, TIME) else ("number",) if sort.family == SIZE else ()
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


def compare(draft: Draft, bound: asking.Bound) -> None:
    """Hold the answers to a comparison with what they have, or the edges into them; told where nothing goes with it."""
    turn = dating.turn(draft) if bound.kind == "date" else None
    if not turn and bound.kind == "date" and _goes_on(draft, bound):
        return
    asked = stems_of(draft.asked.rest)
    if bound.kind == "date":
        found = turn or _dated(draft, bound)
    else:
        found = _by_measure(bound, draft.known)
        found = found or (properties.by_noun(bound.noun, draft.known) if bound.noun else None)
        found = found or (properties.by_family(bound.family, draft.known) if bound.family else None)
        found = found or properties.mentioned(asked, draft.known, ("number",)) or _half_named(draft)
        counted = counting.of_answers(draft, bound) if found is None and bound.noun else ""
        if counted and bound.high is not None and not (draft.per and (bound.value, bound.high) == ("1", "2")):
            draft.refuse(bound.words, "either of two numbers is not served of what is counted")
            return
        if counted:
            often = asking.as_often(bound)
            draft.refine.update(having=often.compare, having_count=often.count, having_of=counted)
            draft.reasons.append(f"{_told(draft, counted)} {often.compare} {often.count}, from: {bound.words.strip()}")
            return
    if found is not None and bound.kind == "date" and dating.of_another(draft, found, asked):
        draft.refuse(bound.words, f"it is compared with what stands on the way, not with {found.name} of the answers")
        return
    if found is None:
        draft.refuse(bound.words, f"no {bound.kind} among the properties of the answers goes with it")
        return
    _compare(draft, bound, found)


def _by_measure(bound: asking.Bound, known: Sequence[Property]) -> Property | None:
    """The number that an adjective speaks of, where it is measured as is said: lighter than two pounds is no price."""
    found = properties.by_family(bound.family, known) if bound.family else None
    own, said = properties.unit_of(found) if found else "", lexicon.unit(bound.noun.lower())
    return found if own and said and lexicon.converted(1, said, own) else None


def _half_named(draft: Draft) -> Property | None:
    """The one number that shares a word with what is left of the question: cost less than 10, of `unit_cost`."""
    numbers = [one for one in draft.known if one.type == "number"]
    found = properties.named([words.stem(form) for form in draft.unread()], numbers)
    return found[0] if len({(one.owner, one.name) for one in found}) == 1 else None


def _compare(draft: Draft, bound: asking.Bound, found: Property) -> None:
    """Hold answers to a comparison of a property, in the unit that it is in."""
    told = _in_unit(bound, properties.unit_of(found))
    if told is None:
        draft.refuse(bound.words, f"{found.name} is not in that unit")
        return
    bound = told
    if bound.kind == "number" and bound.either:
        draft.hold(found.name, "=", value=bound.value)
        draft.hold(found.name, "=", value=bound.high, either=True)
        draft.reasons.append(f"{found.name} {bound.value} or {bound.high}, from: {' '.join(bound.words.split())}")
        return
    more = {**({"either": True} if bound.either else {}), **_owner(draft, found)}
    draft.hold(found.name, bound.compare, value=bound.value, high=bound.high, **more)
    high = f" and {bound.high}" if bound.high else ""
    draft.reasons.append(f"{found.name} {bound.compare} {bound.value}{high}, from: {' '.join(bound.words.split())}")


def _in_unit(bound: asking.Bound, own: str) -> asking.Bound | None:
    """A comparison in the unit that a property is in; None where it is in one that measures something else."""
    said = lexicon.unit(bound.noun.lower())
    scaled = re.search(r"\d ?(?:million|billion|bn|mn?)\b", bound.words, re.IGNORECASE)
    if own == "metre" and bound.high is None and re.search(r"\d m\s*$", bound.words):  # it was read as millions
        return replace(bound, value=shown(float(bound.value) / 1_000_000))
    if own.startswith("million ") and said in ("", own.removeprefix("million ")):
        said = own.removeprefix("million ") if scaled else own
    if not own or said in ("", own):
        return bound
    values = [
        value if value is None else lexicon.converted(float(value), said, own) for value in (bound.value, bound.high)
    ]
    if values[0] is None or (bound.high is not None and values[1] is None):
        return None
    return replace(bound, value=shown(values[0]), high=bound.high and shown(values[1]))


def _owner(draft: Draft, found: Property) -> dict[str, object]:
    """That the edges are meant, where the answers have a property of the same name as these: a year."""
    own = properties.of_nodes(draft.kinds, draft.catalogue)
    shared = found.owner == "edge" and any(one.name == found.name for one in own)
    return {"owner": found.owner} if shared else {}


def _dated(draft: Draft, bound: asking.Bound) -> Property | None:
    """The date, or the number that is a year, which a comparison speaks of."""
    text = dating.beside(draft.asked.rest, draft.pattern)
    found = properties.date(stems_of(text), dating.of_verb(draft, bound), properties.time_families(text))
    return found or _year(bound, stems_of(draft.asked.rest), draft.known)


def _goes_on(draft: Draft, bound: asking.Bound) -> bool:
    """Hold answers to what goes on at a time, by the ends of the edge or of the nodes; False where none is meant."""
    then = dating.during(draft, bound) if "during" not in draft.refine else ""
    if then:
        draft.refine["during"] = then
        draft.reasons.append(f"the edge holds {then}, from: {' '.join(bound.words.split())}")
        return True
    ends = dating.spell(draft.known, draft.asked.rest)
    return ends is not None and dating.hold_spell(draft, bound, ends)


def _year(bound: asking.Bound, asked: Sequence[str], known: Sequence[Property]) -> Property | None:
    """A number that the words before a year name: approved after 2000, where years are kept as numbers."""
    numbers = [one for one in known if one.type == "number"]
    years = [value for value in (bound.value, bound.high) if value]
    return next(iter(properties.named(asked, numbers)), None) if all(map(str.isdigit, years)) else None
