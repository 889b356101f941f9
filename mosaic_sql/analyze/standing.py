"""Lone words in small letters that stand where a question names a node: beside a name, behind what takes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mosaic_sql.analyze import cues, fitting, lexicon, schema
from mosaic_sql.analyze.clauses import DETERMINERS, PREPOSITIONS, RELATIVES, Item, items
from mosaic_sql.analyze.sentence import BE, DO, FUNCTION, PLURALS
from mosaic_sql.records import Catalogue, Target

MEANT = 0.5
"""Weight, at least, of a word that stands as a name does: above the threshold of an anchor."""
AS_WRITTEN = ("exact", "alias", "normalised")
"""Why a target is one whose name stands in the question as it is."""
_JOINING = frozenset(("and", "or", ",", "nor", "but"))
_TAKING = PREPOSITIONS | {"against", "between", "without", "into", "than", "not", "like"}


def surer(question: str, targets: tuple[Target, ...], catalogue: Catalogue) -> tuple[Target, ...]:
    """The targets, those meant that are lone words in small letters and stand where names do.

    A word that may ask for something names nothing; nor does one where a text, with words of its own, may be meant.
    """
    named = [target for target in targets if target.origin == "graph"]
    if not named or catalogue.chunk_count:
        return targets
    held, relates = items(question, named), cues.asks_relation(question)
    stands = [
        item.target
        for place, item in enumerate(held)
        if _may_name(item, catalogue) and (relates or _stands(held, place, catalogue))
    ]
    return tuple(
        replace(target, weight=max(target.weight, MEANT)) if target in stands else target for target in targets
    )


def _stands(held: Sequence[Item], place: int, catalogue: Catalogue) -> bool:
    """Whether a name stands beside another, behind what takes one, or is what acts."""
    if _joined(held, place):
        return True
    before, after = _before(held, place), held[place + 1] if place + 1 < len(held) else None
    verbal = after is not None and (after.form.endswith("ed") or _takes(after.form, catalogue))
    ends = after is None or after.target or after.parted or after.form in FUNCTION | PREPOSITIONS | _JOINING
    target = held[place].target
    if after is not None and target and is_plural(target) and (verbal or after.form in PREPOSITIONS | RELATIVES):
        return False  # thrillers from A are things of a sort
    taken = before in _TAKING or _takes(before, catalogue)
    acts = verbal and held[place - 1].form in BE | DO  # does X treat it, is X related
    return ((ends or verbal) and taken) or acts


def is_plural(target: Target) -> bool:
    """Whether a name of a node is said in the plural."""
    said = target.name.lower()
    return said != target.alias_key and (said.endswith("s") or said in PLURALS)


def _before(held: Sequence[Item], place: int) -> str:
    """The word before a name and its determiner; empty where a name stands there, or nothing."""
    while place and held[place - 1].form in DETERMINERS:
        place -= 1
    return held[place - 1].form if place and not held[place].parted else ""


def _joined(held: Sequence[Item], place: int) -> bool:
    """Whether a name of like kind stands beside it, behind or before a joining word."""
    return any(
        _is_like(held[place], held[other])
        for other in (_beyond(held, place, -1), _beyond(held, place, 1))
        if other is not None
    )


def _beyond(held: Sequence[Item], place: int, ahead: int) -> int | None:
    """The place of the next item over joining words and determiners; None where no word joins them."""
    place += ahead
    joined = False
    while 0 <= place < len(held) and (held[place].form in _JOINING or held[place].form in DETERMINERS | RELATIVES):
        joined = joined or held[place].form in _JOINING
        place += ahead
    return place if joined and 0 <= place < len(held) else None


def _is_like(one: Item, other: Item) -> bool:
    return one.target is not None and other.target is not None and bool(set(one.target.kinds) & set(other.target.kinds))


def _takes(form: str, catalogue: Catalogue) -> bool:
    """Whether a word may be a verb that a name follows: of a family, or of a relation's name."""
    verbs = any(entry.role == "verb" for entry in lexicon.entries_at([form], 0)) if form else False
    own = (lexicon.parts(relation) for _, relation in catalogue.relations)
    return verbs or any(lexicon.is_verb(form, parts[0]) for parts in own if form and parts)


def _may_name(item: Item, catalogue: Catalogue) -> bool:
    """Whether a name is as written, and no word that may ask for a relation or a kind, say how, or count."""
    if item.target is None or item.target.why not in AS_WRITTEN:
        return False
    key = item.target.alias_key
    asks = bool(lexicon.entries_at([key], 0)) or schema.is_schema_word(key, catalogue)
    return not asks and fitting.is_telling(key)
