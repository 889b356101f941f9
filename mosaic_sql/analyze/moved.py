"""Whether a pattern moves words to another node than they are said of, over a step that no word speaks for.

"Which symptoms does A cause" is about what A causes, not about what those things cause that A treats; "who founded A"
not about the founders of what is located in A.
"""

from __future__ import annotations

from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.kind_tests import Walk
from mosaic_sql.analyze.mentions import NOTHING, STRONG, Mention
from mosaic_sql.analyze.schema import SchemaGraph, Step
from mosaic_sql.analyze.wording import Wording


def words(walk: Walk, read: Wording, schema: SchemaGraph) -> tuple[str, ...]:
    """The words that a walk moves to another node than they are said of; empty where it moves none."""
    if len(walk.path) < 2 or read.shared:
        return ()
    for found in (_from_anchor(walk, read, schema), _from_answer(walk, read, schema)):
        if found is not None:
            return found.said
    return ()


def _from_anchor(walk: Walk, read: Wording, schema: SchemaGraph) -> Mention | None:
    """What is said of the anchor, and walked from what it leads to."""
    mention, (first, step, *_) = _speaker(walk, read, 1), walk.path
    if mention is None or _speaker(walk, read, 0) is not None or step.undoes(first):
        return None
    places = sorted((mention.start, read.anchor))
    if any(other.noun and places[0] < other.end <= places[1] and other is not mention for other in read.mentions):
        return None
    if any(_has(kind, step, schema) for kind in walk.start):
        return mention
    return mention if mention.touching and is_done_elsewhere(step.relation, first.relation) else None


def is_done_elsewhere(said: str, silent: str) -> bool:
    """Whether what a relation says is done is not done to what another relation joins to its end.

    To found what is located in a city is not to found the city; to direct a thriller is to direct a film of that genre.
    """
    families = lexicon.lexicon().families
    asked, beside = ({families[one].asks for one in lexicon.label(each).families} for each in (said, silent))
    return "who" in asked and "where" not in asked and bool(beside - {"what"})


def _from_answer(walk: Walk, read: Wording, schema: SchemaGraph) -> Mention | None:
    """What is said of the answers, which may have it, and walked to what leads to them."""
    mention, (*_, step, last) = _speaker(walk, read, len(walk.path) - 2), walk.path
    focus = read.mentions[read.focus] if read.focus is not None else None
    if mention is None or focus is None or mention.noun or last.undoes(step):
        return None
    if _speaker(walk, read, len(walk.path) - 1) is not None:
        return None
    if any(other.noun and focus.end <= other.start < mention.start for other in read.mentions):
        return None
    ends = (other for kind in schema.by_relation for other in _steps(kind, step, schema))
    return mention if any(other.kind in focus.kinds for other in ends) else None


def _speaker(walk: Walk, read: Wording, place: int) -> Mention | None:
    """The mention that names the relation of a step, rather than the kind of what it leads to."""
    if walk.by[place] < 0:
        return None
    mention = read.mentions[walk.by[place]]
    said = (mention.of(walk.path[place]) or NOTHING).strength >= STRONG
    return mention if said and not mention.shared else None


def _has(kind: str, step: Step, schema: SchemaGraph) -> bool:
    return bool(_steps(kind, step, schema))


def _steps(kind: str, step: Step, schema: SchemaGraph) -> list[Step]:
    own = schema.by_relation.get(kind, {}).get(step.relation, ())
    return [other for other, _ in own if other.forward == step.forward]
