"""A question that names no node: all nodes of a kind, filtered, ordered and counted, or counted for each answer."""

from __future__ import annotations

from mosaic_sql import text as words
from mosaic_sql.analyze import comparing, fitting, properties, schema, states
from mosaic_sql.analyze.afterwards import after_walk
from mosaic_sql.analyze.drafting import Draft, by_words, kind_in
from mosaic_sql.records import Target

_ALL_IN_ALL = frozenset(
    "exist exists different distinct total altogether overall out up graph database corpus data set".split()
)
"""Words that narrow nothing of what is counted."""


def from_kind(draft: Draft) -> None:
    """All nodes of the kind that a question names, and what it asks of them."""
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
        states.flagged(draft, draft.known)
        after_walk(draft)
        if draft.refine:
            draft.refine.update(answers_from="kind", source_kind=kind)
        left = _left(draft, kind) if asked.count else ""
        if left and not draft.unserved:
            draft.unserved = f"“{left}” narrows what is counted, and was not understood"


def _left(draft: Draft, kind: str) -> str:
    """The first word that narrows what is counted, and that no filter answers to."""
    asked = draft.asked
    said = {words.stem(bound.noun) for bound in asked.bounds if bound.noun}
    said |= properties.time_verbs(asked.rest) if asked.bounds or asked.than else set()
    said |= {words.stem(word) for group in words.SAME_KIND if kind.lower() in group for word in group}
    left = [form for form in draft.unread() if fitting.is_telling(form) and form not in _ALL_IN_ALL]
    return next((form for form in left if words.stem(form) not in said), "")


def _all_of(draft: Draft, kind: str | None) -> None:
    """All nodes of a kind, where the question says nothing else: list all cities, what films are there."""
    own = set(properties.stems(kind or ""))
    named = [one for one in draft.named if not one.alias_key.isdigit() and not set(words.stems(one.alias_key)) <= own]
    if kind is None or named or kind in schema.inferred_kinds(draft.catalogue):
        return
    draft.reasons.append(f"every {kind}")
    states.flagged(draft, properties.of(properties.Ends(frozenset({kind}), frozenset()), draft.catalogue))
    draft.refine.update(answers_from="kind", source_kind=kind)
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
    after_walk(draft)
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
