"""What a person should know of how names were linked, a line each."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.records import Candidate, Target

_NEAR = {"lexical": "by its words", "similar": "by its vector"}
_TOLD = 5
"""Namesakes that one line tells apart."""
STRONG = 0.3
"""Weight above which a name is an anchor whatever else a question names."""


def remarks(targets: Sequence[Target]) -> tuple[str, ...]:
    """Names of an imported graph that several nodes have, and names that were not found as written."""
    named = [target for target in targets if target.candidates]
    anchors = [target for target in named if target.weight > STRONG] or named
    return tuple(line for target in anchors for line in _lines(target))


def _lines(target: Target) -> list[str]:
    meant = [candidate for candidate in target.candidates if candidate.node_id in target.graph_ids]
    first = meant[0]
    if target.why in _NEAR and len(meant) > 1 and all(_holds(one, target) for one in meant):
        some = ", ".join(one.name for one in meant[:_TOLD])
        more = f", {len(target.graph_ids) - _TOLD} more" if len(target.graph_ids) > _TOLD else ""
        have = f"{len(target.graph_ids)} have it in their name: {some}{more}"
        return [f'no node is called "{target.name}"; {have}; started from all; choose with --anchor "{first.name}"']
    if target.why in _NEAR:
        took = ", ".join(candidate.name for candidate in meant)
        return [f'no node is called "{target.name}"; took {took} ({_NEAR[target.why]}, {first.score:.2f})']
    count = len(target.graph_ids)
    if count < 2:
        return []
    marks = _marks(meant)
    told = ", ".join([*marks[:_TOLD], *([f"{count - _TOLD} more"] if count > _TOLD else [])])
    choice = f'--anchor "{first.name} [{marks[0]}]"'
    return [f"{count} nodes are called {target.name}: {told}; started from all; choose with {choice}"]


def _holds(candidate: Candidate, target: Target) -> bool:
    """Whether a node's name has the words of a question's name in it."""
    own = {token.form for token in words.tokens(candidate.name)}
    return {token.form for token in words.tokens(target.name)} - words.STOP_WORDS <= own


def _marks(candidates: Sequence[Candidate]) -> list[str]:
    """What tells namesakes apart in brackets: the kind that no other has, else the id."""
    found = []
    for candidate in candidates:
        others = {kind for other in candidates if other is not candidate for kind in other.kinds}
        own = [kind for kind in candidate.kinds if kind not in others]
        found.append(own[0] if own else f"#{candidate.node_id}")
    return found
