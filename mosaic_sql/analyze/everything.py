"""A question that names no node: all nodes of a kind, filtered, ordered and counted, or counted for each answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import (
    asking,
    called,
    comparing,
    counting,
    dating,
    fitting,
    grouping,
    happening,
    having,
    lacking,
    lexicon,
    properties,
    schema,
    sorts,
    states,
    textual,
)
from mosaic_sql.analyze.afterwards import after_walk
from mosaic_sql.analyze.drafting import Draft, Path, Step, by_words, kind_in, stand_in, stems_of
from mosaic_sql.analyze.nouns import TYPE_NOUNS

_ALL_IN_ALL = frozenset(
    "exist exists different distinct total altogether overall out up graph database corpus data set".split()
)
"""Words that narrow nothing of what is counted."""

_WHO = re.compile(r"\W*who\b", re.IGNORECASE)
_MEASURED = frozenset(words.stem(form) for form in "run last lasted take took weigh cost measure span stand".split())
"""Stems of verbs that say no more than that something has a measure: films that run longer than two hours."""
_PEOPLE = re.compile(r"\W*(?:who|(?:(?:which|what|list|all) )*(?:people|persons?))\b", re.IGNORECASE)
_CUE = re.compile(r"(?<=\w) {4,}")
"""The blanks that a cue behind a word leaves."""


def from_kind(draft: Draft) -> None:
    """All nodes of the kind that a question names, and what it asks of them."""
    kind = kind_in(draft.asked.rest, draft.catalogue) or grouping.kind_of(draft)
    lacks = not draft.asked.each and (lacking.of_who(draft) or (kind is not None and lacking.of_kind(draft, kind)))
    if lacks or (kind is None and _at_a_time(draft)):
        after_walk(draft)
    elif draft.asked.each:
        _for_each(draft, kind)
        if draft.asked.overall and draft.refine:
            draft.refine["aggregate"] = draft.asked.overall
    elif not draft.asked.is_plain:
        if not per_node(draft) and not happening.of_kind(draft, kind):
            _chosen(draft, kind)
    elif exact := asking.bare_number(draft.asked):  # played in two films; if nothing is counted, it is part of a name
        draft.asked.bounds.append(exact)
        _chosen(draft, kind)
        if not draft.refine:
            draft.corrections.clear()
    elif not happening.of_kind(draft, kind):
        _all_of(draft, kind)


def _at_a_time(draft: Draft) -> bool:
    """All that have the date which a verb says and a time is told of: who was born after 1830; False for none."""
    asked = draft.asked
    if not _PEOPLE.match(asked.rest) or asked.sort or not any(bound.kind == "date" for bound in asked.bounds):
        return False
    said = properties.time_families(asked.rest)
    own = [one for one in draft.catalogue.properties if one.owner in ("node", "relation")]
    told = [one for one in own if said & lexicon.label(one.name).families.keys()]
    found = properties.date(stems_of(asked.rest), told, said)
    left = [form for form in draft.unread() if fitting.is_telling(form)]
    people = set(map(words.stem, TYPE_NOUNS["who"]))
    if found is None or {words.stem(form) for form in left} - properties.time_verbs(asked.rest) - people:
        return False
    inferred = schema.inferred_kinds(draft.catalogue) - {f"has {found.name}"}
    kind, *others = sorted({one.label for one in told if one.name == found.name} - inferred)
    draft.every(kind)
    draft.refine.update(answers_from="kind", source_kind=kind, **({"or_kinds": tuple(others)} if others else {}))
    return True


def _chosen(draft: Draft, kind: str | None) -> None:
    """Those that a cue chooses: of the nodes of a kind, or of what is reached from all that is counted."""
    counted = _counted_kind(draft)
    if counted is not None:
        _per_answer(draft, counted, kind)
    elif kind is None or kind in schema.inferred_kinds(draft.catalogue):
        _per_step(draft)
    if kind is not None and not draft.refine:
        draft.every(kind)
        after_walk(draft)
        if draft.refine:
            draft.refine.update(answers_from="kind", source_kind=kind)
        is_held = draft.asked.count or draft.asked.bounds or draft.refine.get("sort_by") == "attribute"
        left = _left(draft, kind) if is_held else ""
        if left and not draft.unserved and not draft.corrections:
            told = "is counted" if draft.asked.count else f"is asked of every {kind}"
            draft.unserved = f"“{left}” narrows what {told}, and was not understood"


def _left(draft: Draft, kind: str) -> str:
    """The first word that narrows what is asked for, and that no filter answers to."""
    asked = draft.asked
    said = {words.stem(bound.noun) for bound in asked.bounds if bound.noun}
    said |= properties.time_verbs(asked.rest) if asked.bounds or asked.than or asked.sort else set()
    if asked.bounds and properties.is_spell(draft.known):
        said |= dating.GOING_ON | dating.BEGUN | dating.OVER
    said |= _MEASURED if asked.bounds else set()
    said |= words.like_kind(kind) | _behind_measure(draft)
    left = [form for form in draft.unread() if fitting.is_telling(form) and form not in _ALL_IN_ALL]
    return next((form for form in left if words.stem(form) not in said), "")


def _behind_measure(draft: Draft) -> set[str]:
    """The stem of a word right behind the property that gives the order: the highest cvss score."""
    own = properties.stems(str(draft.refine.get("attribute") or "")) if draft.asked.sort else []
    stems = stems_of(draft.asked.rest)
    return {after for stem, after in pairwise(stems) if any(words.alike(stem, other) for other in own)}


def _per_step(draft: Draft) -> None:
    """A walk from all that is counted to what no kind is named for: who wrote at least three books."""
    nouns = _counted_nouns(draft)
    if nouns and _per_called(draft, nouns[0]):
        return
    found = counting.step(draft, nouns[0], draft.catalogue.kinds) if nouns else None
    if found and _WHO.match(draft.asked.rest) and counting.is_of_people(counting.turned(found), found, draft.catalogue):
        found = counting.turned(found)  # who sits on the most boards: not what has the most members
    if found and not called.fits(
        called.asked(draft.asked.rest), counting.starts(found, draft.catalogue), draft.catalogue
    ):
        return  # which city has the most museums: not what paintings they have
    kind = _walked_back(draft, found, nouns[0]) if found else None
    if kind is None:
        return
    after_walk(draft)
    if draft.refine:
        draft.refine["source_kind"] = kind


def _per_called(draft: Draft, noun: str) -> bool:
    """A walk from all that a noun calls so (museums) to what is asked for by another (the city with the most)."""
    asked = called.asked(draft.asked.rest)
    for kind in called.of_noun(noun, draft.catalogue) if asked else ():
        start = counting.some((kind,), draft.asked.rest, noun)
        path = by_words(draft, draft.asked.rest, start)
        ends = properties.ends(path.pattern, start.kinds, draft.catalogue).kinds if path else frozenset[str]()
        if path is None or kind in ends or not called.fits(asked, ends, draft.catalogue):
            continue
        draft.reasons.append(f"every {kind}")
        draft.per = kind
        draft.walk(path, start.kinds)
        after_walk(draft)
        draft.refine.update({"source_kind": kind} if draft.refine else {})
        return True
    return False


def _walked_back(draft: Draft, found: str, noun: str) -> str | None:
    """Walk from all that a step leads to, back over it, to those that have it; the kind that is walked from."""
    back = counting.turned(found)
    kind = counting.only_kind(back, draft.catalogue)
    if kind is not None:
        draft.reasons.append(f"every {kind}")
        draft.per = kind
        draft.walk(Step(back, (words.stem(noun),)), (kind,))
    return kind


def _for_each(draft: Draft, kind: str | None) -> None:
    """How many of something each node of a kind has: of another kind, or of what a relation leads to."""
    each = kind_in(draft.asked.each, draft.catalogue)
    each = each if each and called.is_literal(each, draft.asked.each, draft.catalogue) else None
    if kind is not None and kind != each and comparing.each(draft, stand_in(kind, draft.asked.rest), kind):
        return
    noun, *said = [token.form for token in words.tokens(draft.asked.rest)] or [""]
    turned = " ".join(["which", draft.asked.each, *(form for form in said if form != draft.asked.each), noun])
    found = counting.step(draft, noun, {each} if each else draft.catalogue.kinds, turned)
    if found and each:
        draft.every(each)
        draft.refine.update(answers_from="kind", source_kind=each, degree_of=found, sort_by="degree")
        draft.reasons.append(f"their edges {found}")
    elif found and (start := _walked_back(draft, found, noun)):
        draft.refine.update(source_kind=start, sort_by="edges")
    elif kind or each:
        draft.unserved = f"how {draft.asked.each} and {kind or noun} hang together was not understood"


def _all_of(draft: Draft, kind: str | None) -> None:
    """All nodes of a kind, where the question says nothing else: list all cities, what films are there."""
    own = set(properties.stems(kind or ""))
    named = [one for one in draft.named if not one.alias_key.isdigit() and not set(words.stems(one.alias_key)) <= own]
    if kind is None or kind in schema.inferred_kinds(draft.catalogue):
        return
    if having.of_kind(draft, kind):
        sorts.hold(draft)
        textual.hold(draft)
        return
    if named:
        return
    draft.every(kind)
    states.flagged(draft)
    sorts.hold(draft)
    textual.hold(draft)
    grouping.hold(draft)
    draft.refine.update(answers_from="kind", source_kind=kind)
    if draft.unread():
        draft.refine.clear()


def per_node(draft: Draft) -> bool:
    """A walk from a node that is the noun for what is counted: who directed the most thrillers."""
    for noun in _counted_nouns(draft):
        nodes = [one for one in (*draft.anchors, *draft.named) if one.origin == "graph"]
        named = [one for one in nodes if words.stem(one.name.lower()) == words.stem(noun)]
        steps = {
            (relation, forward, end)
            for one in named[:1]
            for relation, forward, start, end in schema.each_way(draft.catalogue)
            if start in one.kinds and (relation, forward) in one.steps and end in schema.given_kinds(draft.catalogue)
        }
        if len(steps) != 1 or kind_in(noun, draft.catalogue):
            continue
        ((relation, forward, counted),) = steps
        plural = f"{counted.replace('_', ' ')}s"
        said = draft.asked.rest[: named[0].char_start] + plural + draft.asked.rest[named[0].char_end :]
        path = by_words(draft, said, stand_in(counted, said))
        if path is None or patterns.parse(path.pattern).max_length != 1:
            continue
        draft.anchors, draft.per = [named[0]], counted
        last = f"({path.pattern})" if "|" in path.pattern else path.pattern
        pattern = f"{patterns.format_path([(relation, forward)])} / {last}"
        draft.walk(Step(pattern, (*path.words, words.stem(noun))), named[0].kinds)
        draft.reasons.append(f"every {counted} of {named[0].node_names[0]}")
        after_walk(draft)
        return bool(draft.refine)
    return False


def _per_answer(draft: Draft, counted: str, kind: str | None) -> None:
    """A walk from all nodes of the kind that is counted for each answer."""
    start = stand_in(counted, draft.asked.rest)
    path = by_words(draft, draft.asked.rest, start)
    path = counting.called_so(draft, counted, kind, path) or path
    last = properties.ends(path.pattern, start.kinds, draft.catalogue).kinds if path else frozenset()
    if counted in last and (said := _CUE.search(draft.asked.rest)):  # who knows the most people, not whom they know
        start = replace(start, char_start=said.start() + 1, char_end=said.end())
        path = by_words(draft, draft.asked.rest, start)
    if path is None or (kind not in (None, counted) and kind not in last):
        return
    path = _as_far_as(draft, path, start.kinds, kind or counted)
    draft.reasons.append(f"every {counted}")
    draft.per = counted
    draft.walk(path, start.kinds)
    after_walk(draft)
    if draft.refine:
        draft.refine["source_kind"] = counted
        left = _said_of_another(draft)
        draft.unserved = draft.unserved or (f"“{left}” is said of what is counted, and no edge is it" if left else "")


def _said_of_another(draft: Draft) -> str:
    """A verb of some relation that the walk does not go over; empty for none."""
    every = [relation for _, relation in draft.catalogue.relations]
    own = [str(move.relation) for move in patterns.parse(draft.pattern or "any").transitions if move.relation]
    stems = {stem for relation in own for stem in properties.stems(relation)}
    left = [form for form in draft.unread() if lexicon.speaks_of([form], every, roles=("verb",))]
    left = [form for form in left if not lexicon.speaks_of([form], own)]
    return next((form for form in left if not any(words.alike(words.stem(form), stem) for stem in stems)), "")


def _as_far_as(draft: Draft, path: Path, kinds: Sequence[str], kind: str | None) -> Path:
    """The path as far as it first comes to nodes of a kind: people work at companies, and go no further to others.

    Where those that are counted are of that kind, the one of its steps that leads from them to their like.
    """
    steps = path.pattern.split(" / ") if not set("(|)") & set(path.pattern) else []
    while (back := next((n for n in range(len(steps) - 2) if steps[n + 1] == f"^{steps[n]}"), None)) is not None:
        del steps[back : back + 2]
    parts = steps if kind in kinds else [" / ".join(steps[:length]) for length in range(1, len(steps))]
    short = (part for part in parts if kind in properties.ends(part, kinds, draft.catalogue).kinds)
    return Step(next(short, " / ".join(steps) or path.pattern), path.words)


def _counted_kind(draft: Draft) -> str | None:
    """The kind whose nodes are counted for each answer: the most films, in more than two films."""
    found = [kind_in(noun, draft.catalogue) for noun in _counted_nouns(draft)]
    return next((kind for kind in found if kind is not None), None)


def _counted_nouns(draft: Draft) -> list[str]:
    """The nouns that may be counted: the most films, in more than two films."""
    asked = draft.asked
    nouns = [asked.sort.noun] if asked.sort and not asked.sort.family else []
    return list(filter(None, [*nouns, *(bound.noun for bound in asked.bounds if bound.kind == "number")]))
