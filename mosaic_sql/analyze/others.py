"""Others than those on the way: the co-authors of a paper's authors are not its authors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mosaic_sql.analyze import properties
from mosaic_sql.analyze.drafting import Draft, by_words, kinds_in
from mosaic_sql.records import Target

_OTHERS = re.compile(r"\b(others?|another|else|collaborators?|colleagues?)\b|\bco-\w+", re.I)


class _Way(NamedTuple):
    """The steps to those who are no answer; no word speaks for leaving them out but the one for others."""

    pattern: str
    words: tuple[str, ...]
    score: float = 0.0


def left_out(draft: Draft, anchor: Target) -> bool:
    """Whether a question asks for others than a path passes on its way; then those are taken from the answers.

    The word has to say it of the answers: the books of co-authors are not others than one's own.
    """
    said = _OTHERS.search(draft.asked.rest)
    if said and kinds_in(draft.asked.rest[: said.start()], draft.catalogue):
        return False
    path = by_words(draft, draft.asked.rest, anchor) if said and draft.asked.is_plain else None
    before = _before(draft, path.pattern, anchor.kinds) if path else None
    if said is None or path is None or before is None:
        return False
    draft.walk(path, anchor.kinds, [_Way(before, ())])
    draft.refine.update(combine="difference", arms=(before,))
    draft.anchors = [anchor, replace(anchor, group_id=anchor.group_id + 1)]
    draft.negated = True
    draft.reasons.append(f"others than those of {before}, from: {said[0]}")
    return True


def _before(draft: Draft, pattern: str, kinds: Sequence[str]) -> str | None:
    """The longest beginning of a chain that ends in the kinds of the whole; None where none does."""
    steps = pattern.split(" / ")
    if "(" in pattern or len(steps) < 3:
        return None
    ended = properties.ends(pattern, kinds, draft.catalogue).kinds
    for length in range(len(steps) - 2, 0, -1):
        before = " / ".join(steps[:length])
        if properties.ends(before, kinds, draft.catalogue).kinds == ended:
            return before
    return None
