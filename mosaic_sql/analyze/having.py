"""What answers are to have beside where they come from, of which only the sort is told: born in A, who won an award."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import asking, lacking
from mosaic_sql.analyze.counting import some
from mosaic_sql.analyze.drafting import Draft, by_words, head_of
from mosaic_sql.analyze.schema import numbers
from mosaic_sql.analyze.sentence import DO

_SOME = r"(?:(?P<some>an?|any|some)\s+)?(?P<noun>\w+(?: \w+)?)"
_BEHIND = re.compile(
    rf"\s*,?\s*(?:(?:and|but) )?(?P<opens>who |that |which )?(?:also )?(?P<said>(?:\w+\s+){{1,4}}?{_SOME})\s*[?.!]*\s*",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"\b(?P<said>with {_SOME}) (?=who\b|that\b|which\b)", re.IGNORECASE)
_IT = "it"


class Clause(NamedTuple):
    """What is said of the answers: its place in the rest of the question, its words, the noun for what they have.

    `often` is how many of it, the words of a number left out.
    """

    span: tuple[int, int]
    said: str
    noun: str
    often: asking.Often


def held(draft: Draft, walk: Callable[[Draft], bool]) -> Draft | None:
    """A draft whose answers have what a clause says they have; None where no clause does, or no one relation answers.

    `walk` plans what the rest of the question asks of several anchors.
    """
    for lack in lacking.around(draft) if not draft.asked.bounds else ():
        found = _without(draft, lack.span, walk)
        if found is not None and lacking.hold(found, found.kinds, lack.said):
            draft.negated = True
            return found
    plain = draft.asked.often is None and draft.asked.sort is None
    clause = _clause(draft) if plain else None
    found = _without(draft, clause.span, walk) if clause else None
    step = _step(found, found.kinds, clause.said, clause.noun) if found and clause else None
    if clause is None or found is None or step is None:
        return None
    if draft.asked.bounds and {one.relation for one in patterns.parse(step).transitions} & numbers(draft.catalogue):
        return None  # 500,000 inhabitants are one number
    found.spoken = (*found.spoken, *words.stems(clause.said))
    often = clause.often
    found.refine.update(having=often.compare, having_count=often.count, having_of="degree", degree_of=step)
    found.reasons.append(f"their edges {step} {often.compare} {often.count}, from: {' '.join(clause.said.split())}")
    return found


def _without(draft: Draft, span: tuple[int, int], walk: Callable[[Draft], bool]) -> Draft | None:
    """A draft of the question without a clause, its walk taken; None where the rest names none."""
    asked = replace(draft.asked, rest=words.blanked(draft.asked.rest, *span), bounds=[])
    found = replace(draft, asked=asked, refine={}, reasons=[], corrections=[], anchors=list(draft.anchors))
    if len(found.anchors) == 1:
        path = by_words(found, asked.rest, found.anchors[0])
        if path is not None:
            found.walk(path, found.anchors[0].kinds)
    elif not walk(found):
        return None
    return found if found.pattern else None


def of_kind(draft: Draft, kind: str) -> bool:
    """Whether all nodes of a kind are asked for that have something: musicians who produced an album."""
    head = head_of(draft, kind)
    found = _BEHIND.fullmatch(draft.asked.rest, head.end) if head else None
    often = _often(draft.asked.bounds, found) if found and found["some"] else None
    step = _step(draft, [kind], found["said"], found["noun"]) if found and often else None
    if found is None or step is None:
        return False
    draft.every(kind)
    draft.refine.update(answers_from="kind", source_kind=kind, having=">=", having_of="degree", degree_of=step)
    draft.reasons.append(f"their edges {step} >= 1, from: {' '.join(found['said'].split())}")
    return True


def _clause(draft: Draft) -> Clause | None:
    """The clause behind the last name, or before the first; a verb alone opens none where a name acts (did A make)."""
    rest, first, last = draft.asked.rest, draft.anchors[0], draft.anchors[-1]
    before = [token.form for token in words.tokens(rest[: first.char_start])]
    found = _BEHIND.fullmatch(rest, last.char_end)
    found = found if found and (found["opens"] or not DO.intersection(before)) else None
    found = found or _BEFORE.search(rest, 0, first.char_start)
    often = _often(draft.asked.bounds, found) if found else None
    return Clause(found.span("said"), found["said"], found["noun"], often) if found and often else None


def _often(bounds: Sequence[asking.Bound], found: re.Match[str]) -> asking.Often | None:
    """How many there are to be: one or more where only a determiner tells, else as a comparison has it."""
    if found["some"]:
        return None if bounds else asking.Often(found["some"], ">=", 1)
    one = bounds[0] if len(bounds) == 1 else None
    counts = one is not None and one.kind == "number" and one.high is None and one.noun == found["noun"].lower()
    return asking.as_often(one) if one and counts else None


def _step(draft: Draft, kinds: Iterable[str], said: str, noun: str) -> str | None:
    """The one step from the answers that a clause speaks of, its noun too."""
    text = f"{_IT} {said}"
    found = draft.find(text, [some(kinds, text, _IT)])
    telling = {words.stem(token.form) for token in words.tokens(noun)}
    if found is None or patterns.parse(found.pattern).max_length != 1 or not telling <= set(found.words):
        return None
    return found.pattern
