"""Whether a pattern moves words to another node than they are said of, over a step that no word speaks for.

"Which symptoms does A cause" is about what A causes, not about what those things cause that A treats; "who founded A"
not about the founders of what is located in A.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from mosaic_sql import text as words_of
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.kind_tests import Walk
from mosaic_sql.analyze.mentions import NOTHING, STRONG, Mention
from mosaic_sql.analyze.schema import SchemaGraph, Step, is_called_by_target
from mosaic_sql.analyze.wording import Wording

SAID_SURELY = 0.8
"""How surely a verb tells who does and who is done to, from which it is not read the other way round."""


def words(walk: Walk, read: Wording, schema: SchemaGraph) -> tuple[str, ...]:
    """The words that a walk moves to another node than they are said of; empty where it moves none."""
    if len(walk.path) < 2 or read.shared:
        return ()
    for found in (_from_anchor(walk, read, schema), _from_answer(walk, read, schema)):
        if found is not None:
            return found.said
    return ()


def is_against(walk: Walk, read: Wording, schema: SchemaGraph) -> bool:
    """Whether the verb that the anchor is the subject of is walked as if it were the object, or said of another node.

    What does a disease treat is not what treats it; only where the name of the relation tells who does it.
    """
    if _strays(walk, read):
        return True
    mention = read.mentions[read.acting] if read.acting is not None else None
    if mention is None:
        return False
    first, place = walk.path[0], walk.by.index(read.acting) if read.acting in walk.by else 0
    if place:
        return all(number < 0 for number in walk.by[:place]) and _tells(walk.path[place], walk.start, schema)
    if mention.is_strong and not any((mention.of(step) or NOTHING).strength >= STRONG for step in walk.path):
        return True
    said = mention.of(first) or NOTHING
    turned = said.strength >= STRONG and abs(said.forward) >= SAID_SURELY and (said.forward > 0) != first.forward
    return turned and _tells(first, walk.start, schema)


def _strays(walk: Walk, read: Wording) -> bool:
    """Whether a walk goes over what no word means; see each of the ways."""
    ways = (_is_met_elsewhere, _returns_idly, _is_object_acting, _is_of_other_end, _goes_round)
    return any(way(walk, read) for way in ways)


def _goes_round(walk: Walk, read: Wording) -> bool:
    """Whether a walk stands at what is asked for, and goes on to others over a thing that no noun names.

    The films that A made are not those of the studios that made them.
    """
    if len(walk.path) < 3 or read.focus is None:
        return False
    before, middle, last = walk.path[-3:]
    asked, mention = read.mentions[read.focus], read.mentions[walk.by[-2]] if walk.by[-2] >= 0 else None
    unnamed = mention is not None and not mention.noun and walk.by[-1] in (-1, read.focus)
    comes_back = middle.kind != last.kind and before.kind == last.kind and last.kind in asked.kinds
    return unnamed and comes_back and not (asked.shared and last.undoes(middle))


def _is_met_elsewhere(walk: Walk, read: Wording) -> bool:
    """Whether what two do together is not done by the anchor, but by what no word leads to: the studio of its films."""
    place = next((place for place, number in enumerate(walk.by) if number >= 0), 0)
    mention = read.mentions[walk.by[place]] if walk.by[place] >= 0 else None
    return place > 0 and mention is not None and mention.shared and not mention.noun


def _returns_idly(walk: Walk, read: Wording) -> bool:
    """Whether a verb is walked against what it says of the anchor, and on to the like of that, with no word for it.

    Who uses A is not who else uses what A uses.
    """
    if read.shared or len(walk.path) < 2 or not walk.path[1].undoes(walk.path[0]):
        return False
    speaking = [number for number in walk.by[:2] if number >= 0]
    mention = read.mentions[speaking[0]] if len(speaking) == 1 else None
    if mention is None or mention.noun or not mention.touching:
        return False
    said = (mention.of(walk.path[0]) or NOTHING).forward
    return abs(said) >= SAID_SURELY and (said > 0) != walk.path[0].forward


def acts_by_name(relation: str, mention: Mention) -> bool:
    """Whether a relation has the name of what its source does, and a verb says that: uses, depends_on."""
    return _is_verb(relation) and words_of.stem(lexicon.parts(relation)[0]) in mention.said


def _is_object_acting(walk: Walk, read: Wording) -> bool:
    """Whether what is done to the anchor is walked as what that does: who uses A, over `uses` to what A uses."""
    mention, (first, *_) = _speaker(walk, read, 0), walk.path
    if read.shared or mention is None or mention.noun or not mention.touching or mention.end > read.anchor:
        return False
    if first.relation not in mention.relations:
        return False
    said = mention.relations[first.relation].forward
    return acts_by_name(first.relation, mention) and said <= -SAID_SURELY and first.forward


def _is_of_other_end(walk: Walk, read: Wording) -> bool:
    """Whether a noun for one end of a verb between likes is walked to the other: dependencies of A, to dependents."""
    mention, (first, *more) = _speaker(walk, read, 0), walk.path
    if walk.by[0] < 0 and more and more[0].undoes(first) and not read.shared:  # nor on from the others to theirs
        mention = _speaker(walk, read, 1)
        return mention is not None and mention.noun and _is_end_of(first.relation, mention)
    if mention is None or not mention.noun or first.kind not in walk.start:
        return False
    said = (mention.of(first) or NOTHING).forward
    return _is_end_of(first.relation, mention) and abs(said) >= SAID_SURELY and (said > 0) != first.forward


def _is_end_of(relation: str, mention: Mention) -> bool:
    """Whether a noun is made of the verb of a relation: callers of calls, dependencies of depends_on; not citations."""
    verb = (lexicon.parts(relation) or [""])[0]
    does = any(lexicon.is_doer(stem, verb) for stem in mention.said)
    return acts_by_name(relation, mention) or (_is_verb(relation) and does)


def _is_verb(relation: str) -> bool:
    """Whether the name of a relation is a verb of what its source does: uses, depends_on."""
    return bool(re.search(r"[^s]s$", (lexicon.parts(relation) or [""])[0]))


def _tells(step: Step, kinds: Collection[str], schema: SchemaGraph) -> bool:
    """Whether the name of a relation says surely who does it: treats, made_by, has_side_effect."""
    label, forms = lexicon.label(step.relation), lexicon.parts(step.relation)
    if step.relation in schema.mutual or label.phrase:
        return False
    called = forms[:1] == ["has"] or any(
        is_called_by_target(step.relation, kind) for kind in set(kinds) - schema.inferred
    )
    acts = len(forms) == 1 and forms[0].endswith("s") and not label.one_is_target
    return label.certain or called or acts


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
