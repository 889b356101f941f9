"""How good what came back is: pure arithmetic over a question's gold and the node keys that were returned."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from mosaic_sql.bench.polyg import gold
from mosaic_sql.bench.polyg.questions import Question
from mosaic_sql.bench.polyg.reading import Returned
from mosaic_sql.bench.polyg.world import World


@dataclass(frozen=True)
class Score:
    """Measures of one question in [0, 1]; None where its shape has no such measure.

    `score` is the shape's own: of `s**` the share of the neighbours that the context names, of `sp*` the F1 of the set,
    of `s*o` the share of the true shortest paths, of `spo` the F1 of what joins the pair (1 where a pair that is not
    joined gets nothing, after a search). `exact`: all of it and nothing else. `verdict`: yes and no told apart, any row
    being a yes. `valid`: paths returned that join the two anchors, pass no node twice and go over edges alone.
    """

    score: float
    exact: bool
    precision: float | None = None
    recall: float | None = None
    verdict: bool | None = None
    valid: float | None = None


def score(world: World, question: Question, returned: Returned, wanted: Collection[str]) -> Score:
    """The measures of what one operator returned; `wanted` is the gold set, where the shape has one."""
    if question.shape == "s**":
        return _about(world, question, returned, wanted)
    if question.shape == "sp*":
        return _set(_of_kind(world, question, (trail[-1] for trail in returned.trails)), wanted)
    if question.shape == "s*o":
        return _paths(world, question, returned)
    if not question.truth:
        right = not returned.trails and not returned.refused
        return Score(float(right), right, float(right), float(right), verdict=right)
    told = _set(_between(world, question, returned), wanted)
    return replace(told, verdict=bool(returned.trails))


def _set(found: Collection[str], wanted: Collection[str]) -> Score:
    """Precision, recall and F1; nothing found has a precision of 0."""
    right = len(set(found) & set(wanted))
    precision, recall = right / len(found) if found else 0.0, right / len(wanted)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return Score(f1, set(found) == set(wanted), precision, recall)


def _about(world: World, question: Question, returned: Returned, wanted: Collection[str]) -> Score:
    """What the walk returned tells exactness; what the context has room for is the score."""
    found = {trail[-1] for trail in returned.trails} - set(question.anchors)
    told = _set(found, wanted)
    named = sum(holds(returned.text, world.nodes[key].name) for key in wanted) / len(wanted)
    return Score(named, told.exact, told.precision, told.recall)


def holds(text: str, name: str) -> bool:
    """Whether a name stands in a text as it is, not as a part of longer words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _of_kind(world: World, question: Question, keys: Iterable[str]) -> set[str]:
    """Of what an operator returned, whatever it is, a reader takes the nodes of the kind asked for."""
    kind = question.form.wanted
    return {key for key in keys if world.nodes[key].kind == kind} - set(question.anchors)


def _between(world: World, question: Question, returned: Returned) -> set[str]:
    """A path that joins the anchors speaks for its middle, any other for its end."""
    said: list[str] = []
    for trail in returned.trails:
        said += gold.middle(trail) if {trail[0], trail[-1]} == set(question.anchors) else [trail[-1]]
    return _of_kind(world, question, said)


def _paths(world: World, question: Question, returned: Returned) -> Score:
    """A true path is found where each of its hops was returned, on whichever path."""
    one, other = question.anchors
    hops: dict[str, dict[str, None]] = {}
    for trail in returned.trails:
        for here, there in pairwise(trail):
            if there in world.near[here]:
                hops.setdefault(here, {})[there] = None
                hops.setdefault(there, {})[here] = None
    share = gold.covered(question.lengths, hops, one, other)
    valid = [_is_valid(world, question, trail) for trail in returned.trails]
    sound = sum(valid) / len(valid) if valid else None
    return Score(share, share == 1 and sound == 1, valid=sound, recall=share)


def _is_valid(world: World, question: Question, trail: tuple[str, ...]) -> bool:
    return (
        {trail[0], trail[-1]} == set(question.anchors)
        and len(set(trail)) == len(trail)
        and all(there in world.near[here] for here, there in pairwise(trail))
    )
