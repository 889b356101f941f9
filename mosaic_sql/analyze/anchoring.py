"""Which of the names in a question are its anchors: names and pattern are chosen together.

A name may be a word that speaks of a relation ("actors" is a tag somewhere), and a word of a relation may stand in a
name. Each reading (one anchor, or two) is worth what its pattern and its anchors are worth, less the names it leaves.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mosaic_sql import text as words
from mosaic_sql.analyze import cues, shapes
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.analyze.shapes import Shape
from mosaic_sql.records import Catalogue, Target

CANDIDATES = 4
"""Names, the surest ones, that are tried as anchors."""
SURE = 0.3
"""Weight above which a name is meant unless a pattern says its words."""


_WHAT_LINKS = re.compile(r"\s*(?:what|which \w+)\s+(?:links?|connects?|joins?|relates?|ties?)\b", re.IGNORECASE)
"""What asks how two names hang together."""


@dataclass(frozen=True)
class Reading:
    """The anchors of a question in its order, and its patterns from the first (to the second), best first."""

    anchors: tuple[Target, ...]
    shapes: tuple[Shape, ...] = ()

    @property
    def shape(self) -> Shape | None:
        """The best pattern."""
        return self.shapes[0] if self.shapes else None


def best(question: str, names: Sequence[Target], catalogue: Catalogue, likeness: Likeness | None = None) -> Reading:
    """The reading that is worth most; names a caller gave and parts that were described are anchors as they stand."""
    held = [name for name in names if name.why in ("given", "described")][:2]
    if len(held) == 2 or any(name.why == "given" for name in names):
        return read(question, tuple(held if len(held) == 2 else names[:2]), catalogue, likeness)
    candidates = sorted(names, key=lambda name: (name not in held, -name.weight, name.char_start))[:CANDIDATES]
    readings = [read(question, (name,), catalogue, likeness) for name in candidates]
    sure = sorted((name for name in candidates if name.weight > SURE), key=lambda name: name.char_start)
    if len(sure) == 2 and not held and _WHAT_LINKS.match(question):  # the verb is of no relation
        return read(question, (sure[0], sure[1]), catalogue, likeness)
    readings += [read(question, pair, catalogue, likeness) for pair in itertools.combinations(sure, 2)]
    readings = [each for each in readings if all(name in each.anchors for name in held)]
    if not readings:
        return Reading(())
    return max(readings, key=lambda each: (_worth(each, candidates), -each.anchors[0].char_start))


def read(question: str, anchors: tuple[Target, ...], catalogue: Catalogue, likeness: Likeness | None = None) -> Reading:
    """The patterns of a question from given anchors."""
    if not anchors:
        return Reading(())
    spans = [(anchor.char_start, anchor.char_end) for anchor in anchors if anchor.char_end > anchor.char_start]
    kinds = [anchor.kinds or ("",) for anchor in anchors[:2]]
    found = shapes.ranked(question, spans, kinds, catalogue, first_steps=anchors[0].steps, likeness=likeness)
    if anchors[0].namesakes > 1:
        found = sorted(found, key=lambda shape: any(_says_less(other, shape) for other in found))
    if anchors[0].steps and cues.asks_verdict(question):  # a step that nothing takes is a no
        every = shapes.ranked(question, spans, kinds, catalogue, likeness=likeness)
        found = every if every and (not found or every[0].score > found[0].score) else found
    return Reading(anchors, tuple(found))


def _says_less(one: Shape, other: Shape) -> bool:
    """Whether a pattern takes fewer steps for the same words: from one namesake, where the other starts elsewhere."""
    return one.length < other.length and one.score >= other.score / 2 and set(one.words) >= set(other.words)


def _worth(reading: Reading, names: Sequence[Target]) -> float:
    said = set(reading.shape.words) if reading.shape else set()
    worth = reading.shape.score if reading.shape else 0.0
    for name in names:
        if name in reading.anchors:
            worth += name.weight
        elif name.weight > SURE and not set(words.stems(name.name)) <= said:
            worth -= name.weight
    return worth
