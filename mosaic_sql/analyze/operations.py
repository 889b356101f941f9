"""From the wording of a question to what is done after the walk: values of the refine controls, checked on the schema.

What the words ask for is read without a schema (`asking`); here it is held against the pattern that the rest of the
question names and the properties of what that leads to. What does not fit is left out and told as a correction. No word
of the question becomes SQL: the result is controls, whose values are bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, properties
from mosaic_sql.analyze.families import SIZE, TIME
from mosaic_sql.policy import Correction
from mosaic_sql.records import Catalogue, Property, Target

_NOT = re.compile(
    r"\b(but not|and not|not|except(?: for)?|excluding|without|other than|apart from|but (?:did|does|do|was|were) not)\b",
    re.I,
)
_NEITHER = re.compile(r"\bneither\b|\bnot\b.*\bnor\b", re.I)
_BOTH = re.compile(r"\b(both|as well as|together with|and also|in common)\b", re.I)
_EITHER = re.compile(r"\beither\b|\bor\b", re.I)
_RELATED = re.compile(r"\b(between|relat\w+|connect\w*|link\w*|path)\b", re.I)
_VERDICT = re.compile(r"\s*(is|are|was|were|did|does|do|has|have|had|can|could)\b", re.I)
_IN_WHICH = re.compile(r"\b(?:in|during|through|throughout|amid) (?:which|what) (?P<kind>\w+(?: \w+)?)", re.I)
_WHICH = re.compile(
    r"\b(?:which|what) (?P<kind>\w+(?: \w+)?)\b(?=.*\b(?:during|while|when|under|place|fought|happened)\b)", re.I
)
_WHEN = re.compile(r"\b(when|(?:what|which) (?:year|date|day|time))\b", re.I)
_TEXT_LIKE = ("number", "date", "text", "bool")


class Path(Protocol):
    """A pattern found in a question and the words that spoke for it."""

    @property
    def pattern(self) -> str:
        """The pattern."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Stems of the question."""
        ...


Find = Callable[[str, Sequence[Target]], Path | None]
"""(question, anchors) -> the path pattern that its words name from there; the names may be blanked out."""


@dataclass(frozen=True)
class Plan:
    """Controls for what a question asks beside the walk, with the anchors it starts from and why."""

    pattern: str | None
    targets: tuple[Target, ...]
    refine: Mapping[str, Any]
    reason: str
    corrections: tuple[Correction, ...] = ()


@dataclass
class _Draft:
    """A plan in the making."""

    asked: asking.Asked
    anchors: list[Target]
    catalogue: Catalogue
    find: Find
    refine: dict[str, Any] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    pattern: str | None = None
    spoken: tuple[str, ...] = ()
    known: list[Property] = field(default_factory=list)

    def refuse(self, said: str, reason: str) -> None:
        """A cue that cannot be served."""
        self.corrections.append(Correction("refine", said.strip(), None, reason))

    def walk(self, path: Path, kinds: Sequence[str]) -> None:
        """Take a path, and learn what the nodes it leads to have."""
        self.pattern, self.spoken = path.pattern, path.words
        self.known = properties.of(properties.ends(path.pattern, kinds, self.catalogue), self.catalogue)

    def done(self) -> Plan | None:
        """The plan; None where nothing came of the cues."""
        if not self.refine:
            return None
        used = tuple(self.anchors) if "source_kind" not in self.refine or "combine" in self.refine else ()
        return Plan(self.pattern, used, self.refine, "; ".join(self.reasons), tuple(self.corrections))


def plan(question: str, anchors: Sequence[Target], catalogue: Catalogue, find: Find) -> Plan | None:
    """What a question asks after its walk; None where it asks nothing, or nothing that the schema can serve.

    Args:
        question: the question.
        anchors: the nodes it means; those that are but words of a cue are left out.
        catalogue: kinds, relations and properties of the graph.
        find: the pattern that words name from an anchor.
    """
    if not catalogue.edge_count and not catalogue.properties:
        return None
    sure = [anchor for anchor in anchors if anchor.weight > 0.3]
    asked = asking.read(_blank(question, sure))
    kept = [anchor for anchor in anchors if anchor in sure or asked.rest[anchor.char_start : anchor.char_end].strip()]
    asked.rest = _blank(asked.rest, kept)
    draft = _Draft(asked, kept, catalogue, find)
    if kept and (_overlap(draft) or _sets(draft, question)):
        return draft.done()
    if not kept:
        _from_kind(draft)
    elif len(kept) == 1:
        _from_anchor(draft)
    return draft.done()


def _blank(text: str, targets: Sequence[Target]) -> str:
    for target in targets:
        span = text[target.char_start : target.char_end]
        text = text[: target.char_start] + " " * len(span) + text[target.char_end :]
    return text


def _stems(text: str) -> list[str]:
    return [words.stem(token.form) for token in words.tokens(text)]


# -- one anchor ------------------------------------------------------------------------------------------------------


def _from_anchor(draft: _Draft) -> None:
    """A walk and what comes after it, or what is asked of the anchor itself."""
    (anchor,) = draft.anchors
    own = [one for one in draft.catalogue.properties if one.owner == "node" and one.label in anchor.kinds]
    path = draft.find(draft.asked.rest, draft.anchors)
    found = _asked_of(draft, own)
    if found and (path is None or set(path.words) <= set(properties.stems(found.name))):
        draft.refine.update(answers_from="anchors", attribute=found.name, attribute_owner="node")
        draft.reasons.append(f"{found.name} of {anchor.name}")
        return
    if path is not None:
        draft.walk(path, anchor.kinds)
        _after_walk(draft)


def _asked_of(draft: _Draft, own: Sequence[Property]) -> Property | None:
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
        verbs = [stem for stem in _stems(asked.rest) if stem not in ("year", "date", "dai", "time")]
        named = [one for one in dates if any(words.alike(s, v) for s in properties.stems(one.name) for v in verbs)]
        return named[0] if named else None
    return properties.mentioned(_stems(asked.rest), own, _TEXT_LIKE)


def _after_walk(draft: _Draft) -> None:
    """Order, groups, comparisons, count, and what is read of the answers."""
    asked = draft.asked
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
        draft.reasons.append("their number")
    if "attribute" not in draft.refine and not asked.count:
        _read(draft)


def _read(draft: _Draft) -> None:
    """An attribute of the answers that the question names beside the path, or the date of the edge for a `when`."""
    free = [stem for stem in _stems(draft.asked.rest) if stem not in draft.spoken]
    own = [one for one in draft.known if one.owner != "relation"]
    found = properties.mentioned(free, own, _TEXT_LIKE)
    if found is None and _WHEN.search(draft.asked.rest):
        found = properties.date(free, [one for one in own if one.owner == "edge"])
    if found is not None:
        draft.refine.update(attribute=found.name, attribute_owner=found.owner)
        draft.reasons.append(f"with their {found.name}")


def _sort(draft: _Draft, sort: asking.Sort) -> None:
    if sort.noun and _on_the_way(draft, sort.noun):
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
    elif sort.often or (sort.noun and not sort.family and _is_of_schema(draft, sort.noun)):
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


def _on_the_way(draft: _Draft, noun: str) -> bool:
    """Whether a noun is a kind of the schema that is passed, while the answers are of other kinds."""
    stem = words.stem(noun)
    kinds = {kind for kind in draft.catalogue.kinds if stem in properties.stems(kind)}
    if not kinds or draft.pattern is None:
        return False
    kinds_of_anchor = [kind for anchor in draft.anchors for kind in anchor.kinds]
    last = properties.ends(draft.pattern, kinds_of_anchor, draft.catalogue)
    return not kinds & last.kinds and not any(stem in properties.stems(relation) for relation in last.relations)


def _is_of_schema(draft: _Draft, noun: str) -> bool:
    stem = words.stem(noun)
    names = [*draft.catalogue.kinds, *(relation for _, relation in draft.catalogue.relations)]
    return any(words.alike(stem, other) for name in names for other in properties.stems(name))


def _bound(draft: _Draft, bound: asking.Bound) -> None:
    asked = _stems(draft.asked.rest)
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
    if found is None:
        draft.refuse(bound.words, f"no {bound.kind} among the properties of the answers goes with it")
        return
    item = {"attribute": found.name, "compare": bound.compare, "value": bound.value, "high": bound.high}
    draft.refine["filters"] = (*draft.refine.get("filters", ()), item)
    high = f" and {bound.high}" if bound.high else ""
    draft.reasons.append(f"{found.name} {bound.compare} {bound.value}{high}, from: {' '.join(bound.words.split())}")


# -- no anchor: all nodes of a kind ----------------------------------------------------------------------------------


def _from_kind(draft: _Draft) -> None:
    asked = draft.asked
    kind = _kind_in(asked.rest, draft.catalogue)
    if asked.is_plain or kind is None:
        return
    counted = _counted_kind(draft)
    if counted is not None and counted != kind:
        start = _stand_in(counted)
        path = draft.find(asked.rest, [start])
        if path is None or kind not in properties.ends(path.pattern, start.kinds, draft.catalogue).kinds:
            return
        draft.walk(path, start.kinds)
        draft.refine["source_kind"] = counted
    else:
        where = properties.Ends(frozenset({kind}), frozenset())
        draft.known = properties.of(where, draft.catalogue)
        draft.refine.update(answers_from="kind", source_kind=kind)
    draft.reasons.append(f"every {draft.refine['source_kind']}")
    before = len(draft.refine)
    _after_walk(draft)
    if len(draft.refine) == before:
        draft.refine.clear()


def _counted_kind(draft: _Draft) -> str | None:
    """The kind whose nodes are counted for each answer: the most films, in more than two films."""
    asked = draft.asked
    nouns = [asked.sort.noun] if asked.sort and not asked.sort.family else []
    nouns += [bound.noun for bound in asked.bounds if bound.kind == "number"]
    found = [_kind_in(noun, draft.catalogue) for noun in nouns if noun]
    return next((kind for kind in found if kind is not None), None)


def _stand_in(kind: str) -> Target:
    return Target(0, kind, words.normalise(kind), 1.0, (), (), 0, 0, "kind", origin="graph", kinds=(kind,))


def _kind_in(text: str, catalogue: Catalogue) -> str | None:
    """The first kind that a text names; of several with one word, the one with the longest name in it."""
    asked = _stems(text)
    places = {}
    for kind in catalogue.kinds:
        wanted = properties.stems(kind)
        if not kind.startswith("has ") and wanted and set(wanted) <= set(asked):
            places[kind] = (asked.index(wanted[0]), -len(wanted), kind)
    return min(places, key=lambda kind: places[kind]) if places else None


# -- several anchors: sets -------------------------------------------------------------------------------------------


def _sets(draft: _Draft, question: str) -> bool:
    """Both, but not, neither: which sets the anchors stand for, each with the pattern of its own words."""
    rest, anchors = draft.asked.rest, draft.anchors
    if _RELATED.search(rest) or _VERDICT.match(question):
        return False
    first = anchors[0]
    between = rest[first.char_end : anchors[-1].char_start] if len(anchors) > 1 else ""
    if _NEITHER.search(rest):
        return _neither(draft)
    if len(anchors) < 2:
        return False
    negation = _NOT.search(between)
    asks_more = not draft.asked.is_plain
    if negation:
        combine, said = "difference", negation[0]
    elif _EITHER.search(between) or re.search(r"\beither\b", rest, re.I):
        combine, said = "union", "or"
    elif _BOTH.search(rest) or (asks_more and re.search(r"\band\b", between, re.I)):
        combine, said = "intersection", (_BOTH.search(rest) or ["and"])[0]
    else:
        return False
    paths = [_clause(draft, place) for place in range(len(anchors))]
    if paths[0] is None:
        return False
    draft.walk(paths[0], first.kinds)
    excluded = anchors[1]
    kinds = properties.ends(paths[0].pattern, first.kinds, draft.catalogue).kinds
    if combine == "difference" and set(excluded.kinds) & kinds and len(anchors) == 2 and not _own_words(draft, 1):
        names = excluded.node_names or (excluded.name,)
        draft.refine["filters"] = tuple({"attribute": "name", "compare": "!=", "value": name} for name in names[:5])
        draft.anchors = [first]
        draft.reasons.append(f"but {excluded.name} itself, from: {said}")
    else:
        own = tuple((path or paths[0]).pattern for path in paths[1:])
        draft.refine["combine"] = combine
        if any(pattern != paths[0].pattern for pattern in own):
            draft.refine["arms"] = own
        draft.reasons.append(f"{combine} of {' and '.join(anchor.name for anchor in anchors)}, from: {said}")
    _after_walk(draft)
    return True


def _segment(draft: _Draft, place: int) -> tuple[int, int]:
    """Where the words of an anchor stand: from the end of the one before to its own end."""
    start = draft.anchors[place - 1].char_end if place else 0
    return start, max(start, draft.anchors[place].char_end)


def _own_words(draft: _Draft, place: int) -> bool:
    start, end = _segment(draft, place)
    said = _NOT.sub(" ", draft.asked.rest[start:end])
    return any(token.form not in words.STOP_WORDS for token in words.tokens(said))


def _clause(draft: _Draft, place: int) -> Path | None:
    """The pattern of one anchor: from what is said before it, the head of the question and what follows all of them."""
    rest, anchors = draft.asked.rest, draft.anchors
    others = [number for number in range(len(anchors)) if number != place and _own_words(draft, number)]
    keep = rest
    if place == 0 or _own_words(draft, place):
        head = _head(draft)
        for number in others:
            start, end = _segment(draft, number)
            keep = keep[:start] + "".join(
                character if start + offset < head else " " for offset, character in enumerate(keep[start:end])
            ) + keep[end:]  # fmt: skip
    return draft.find(keep, [anchors[place]])


def _head(draft: _Draft) -> int:
    """Where the noun that is asked for ends."""
    kinds = {stem for kind in draft.catalogue.kinds for stem in properties.stems(kind)}
    for token in words.tokens(draft.asked.rest):
        if words.stem(token.form) in kinds:
            return token.end
    return 0


def _neither(draft: _Draft) -> bool:
    """All nodes of the kind asked for, less what any of the anchors leads to."""
    kind = _kind_in(draft.asked.rest, draft.catalogue)
    path = draft.find(draft.asked.rest, draft.anchors[:1]) if kind else None
    if kind is None or path is None:
        return False
    draft.walk(path, draft.anchors[0].kinds)
    draft.refine.update(answers_from="kind", source_kind=kind, combine="difference")
    draft.reasons.append(f"every {kind} less those of {' and '.join(anchor.name for anchor in draft.anchors)}")
    _after_walk(draft)
    return True


# -- intervals -------------------------------------------------------------------------------------------------------


def _overlap(draft: _Draft) -> bool:
    """In which war did she serve: the answers are nodes of a kind that the walk does not reach, but time does."""
    rest, catalogue, anchor = draft.asked.rest, draft.catalogue, draft.anchors[0]
    match = _IN_WHICH.search(rest) or _WHICH.search(rest)
    kind = _kind_in(match["kind"], catalogue) if match else None
    if match is None or kind is None:
        return False
    of_kind = [one for one in catalogue.properties if one.label == kind and one.owner != "edge"]
    if not properties.interval(of_kind):
        return False
    whole = draft.find(rest, [anchor])
    if whole is not None and kind in properties.ends(whole.pattern, anchor.kinds, catalogue).kinds:
        return False
    blanked = rest[: match.start("kind")] + " " * len(match["kind"]) + rest[match.end("kind") :]
    pattern = _timed(draft, draft.find(blanked, [anchor]))
    if pattern is None:
        return False
    draft.pattern = pattern
    draft.refine["overlap_kind"] = kind
    draft.reasons.append(f"every {kind} whose time meets that of {pattern}")
    last = properties.ends(pattern, anchor.kinds, catalogue).kinds
    named = [other for other in draft.anchors[1:] if set(other.kinds) & last]
    if named:
        draft.refine["filters"] = ({"attribute": "name", "compare": "=", "value": named[0].node_names[0]},)
    draft.anchors = [anchor]
    return True


def _timed(draft: _Draft, path: Path | None) -> str | None:
    """A pattern whose last edges have a time: the one that words name, else the only step from the anchor that has."""
    catalogue, anchor = draft.catalogue, draft.anchors[0]
    timed = {
        one.label for one in catalogue.properties if one.owner == "edge" and properties.interval([one])
    }  # fmt: skip
    if path is not None and properties.ends(path.pattern, anchor.kinds, catalogue).relations & timed:
        return path.pattern
    wanted = {kind for other in draft.anchors[1:] for kind in other.kinds}
    steps = {
        (relation, forward)
        for source, relation, target, _ in catalogue.schema_paths
        for forward, start, end in ((True, source, target), (False, target, source))
        if relation in timed and start in anchor.kinds and (not wanted or end in wanted)
    }
    steps = {step for step in steps if not anchor.steps or step in anchor.steps}
    if len(steps) != 1:
        return None
    ((relation, forward),) = steps
    quoted = (
        relation if re.fullmatch(r"\w+", relation) and relation != "any" else "'" + relation.replace("'", "''") + "'"
    )
    return quoted if forward else f"^{quoted}"
