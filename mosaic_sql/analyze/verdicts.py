"""Whether one relation holds between two names: "Does A teach B?", "Was A a member of B?", "Is A on B?".

What is asked for is one step from the one to the other. The words say along which relation, and which way; a relation
that they do not name is no yes. Where the step can not be, or nothing says one, the question is left to longer
patterns, or told that nothing fits it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mosaic_sql import pattern
from mosaic_sql.analyze import cues, fitting, lexicon, moved, schema, wording
from mosaic_sql.analyze.mentions import Mention
from mosaic_sql.analyze.nouns import OF_ONE
from mosaic_sql.analyze.sentence import DO, PREPOSITIONS, Sentence, sentence
from mosaic_sql.analyze.standing import AS_WRITTEN
from mosaic_sql.records import Catalogue, Target

_SURE = 0.3
"""Weight above which a name is meant; how surely a word tells the direction of a relation from which it is believed."""
_NEAR = 0.05
"""How much weaker than the strongest the words for a relation may be."""
_INFLECTED = re.compile(r"[^s]s$|ed$|en$")
_PLACING = PREPOSITIONS - {"of", "with", "by", "about", "as", "for"}

Step = tuple[str, bool | None]
"""A relation and whether along its edges; None for either way."""


@dataclass(frozen=True)
class Verdict:
    """What is to hold between two names: a pattern of one step, and the words for it.

    `possible` tells whether the schema has such a step between them; `unfit` are words that nothing fits, beside
    `words` that something does.
    """

    ends: tuple[Target, Target]
    pattern: str | None = None
    words: tuple[str, ...] = ()
    possible: bool = False
    unfit: str = ""


def find(question: str, targets: Sequence[Target], catalogue: Catalogue) -> Verdict | None:
    """What a question asks to hold between two names; None where it asks for no verdict on one relation."""
    ends = _ends(targets, catalogue) if cues.asks_verdict(question) else None
    if ends is None:
        return None
    spans = [(end.char_start, end.char_end) for end in ends]
    told, read = sentence(question, spans), wording.read(question, spans, catalogue)
    if read.mutual or read.shared or any(mention.shared for mention in read.mentions):
        return None
    speaking = [mention for mention in read.mentions if mention.is_strong and not mention.beside]
    unfit = fitting.left(told, read.mentions, ends, catalogue)
    if len(speaking) > 1 or (read.joined and not (speaking and _is_of_likes(speaking[0]))):
        return None
    if unfit:
        said = tuple(word for mention in read.mentions if not mention.beside for word in mention.said)
        return None if cues.asks_relation(question) else Verdict(ends, words=said, unfit=unfit)
    if not speaking:
        return _placed(told, ends, catalogue)
    if not _is_whole(speaking[0], told):
        return None
    return _said(speaking[0], told, ends, catalogue, either=read.joined)


def _ends(targets: Sequence[Target], catalogue: Catalogue) -> tuple[Target, Target] | None:
    """The two names that a question is about; a lone word in small letters may be one, where it is no other word."""
    named = [one for one in targets if one.origin == "graph" and one.char_end > one.char_start]
    sure = [one for one in named if one.weight > _SURE]
    weak = [one for one in named if one not in sure and one.why in AS_WRITTEN and not _speaks(one, catalogue)]
    both = sorted([*sure, *(weak if len(sure) + len(weak) == 2 else ())], key=lambda one: one.char_start)
    return (both[0], both[1]) if len(both) == 2 else None


def _speaks(name: Target, catalogue: Catalogue) -> bool:
    forms = name.alias_key.split()
    return schema.is_schema_word(name.alias_key, catalogue) or bool(forms and lexicon.entries_at(forms, 0))


# -- a word that names a relation ------------------------------------------------------------------------------------


def _is_whole(mention: Mention, told: Sentence) -> bool:
    """Whether a noun for a relation is said of the first name as it stands: A is the sister of B, not a film by one."""
    between = " ".join(told.forms[told.anchor : mention.start]).removeprefix("one of").split()
    return not mention.noun or mention.start < told.anchor or not PREPOSITIONS.intersection(between)


def _said(
    mention: Mention, told: Sentence, ends: tuple[Target, Target], catalogue: Catalogue, *, either: bool
) -> Verdict:
    best = max(evidence.strength for evidence in mention.relations.values())
    meant = {r: evidence for r, evidence in mention.relations.items() if evidence.strength >= best - _NEAR}
    ways = _ways(ends, catalogue)
    possible = {relation: evidence for relation, evidence in meant.items() if relation in ways}
    steps = [
        (relation, None if either else _direction(mention, told, relation, ways.get(relation)))
        for relation in sorted(possible or meant)
    ]
    return Verdict(ends, _written(steps), mention.said, bool(possible))


@dataclass(frozen=True)
class _Ways:
    """How a relation may join two nodes: whether along its edges, and whether their kinds leave no other way."""

    forward: frozenset[bool]
    by_kind: bool

    @property
    def only(self) -> bool | None:
        """The one way there is; None for either."""
        return next(iter(self.forward)) if len(self.forward) == 1 else None


def _ways(ends: tuple[Target, Target], catalogue: Catalogue) -> Mapping[str, _Ways]:
    """The relations that may join two nodes: by kinds that were given, and by the edges that they have."""
    first, second = ends
    given = schema.given_kinds(catalogue)
    typed = [frozenset(end.kinds) & given for end in ends]
    found: dict[str, set[bool]] = {}
    for relation, forward in _between(typed[0], typed[1], catalogue):
        found.setdefault(relation, set()).add(forward)
    by_kind = all(typed) and not typed[0] & typed[1]
    for relation, forward in () if by_kind else first.steps:
        if (relation, not forward) in second.steps:
            found.setdefault(relation, set()).add(forward)
    return {relation: _Ways(frozenset(forward), by_kind) for relation, forward in found.items()}


def _direction(mention: Mention, told: Sentence, relation: str, ways: _Ways | None) -> bool | None:
    """Which way a relation is asked for, from the first name to the second; None for either."""
    if _is_of_likes(mention) and not OF_ONE.intersection(lexicon.parts(relation)):
        return None
    same = None if mention.noun else _by_same_verb(mention, told, relation)
    if same is not None:
        return same
    said, owned = mention.relations[relation].forward, _is_owned(mention, told)
    told_by = abs(said) > _SURE and _tells_side(mention, told)
    if not (told_by and mention.noun) and ways and ways.by_kind and ways.only is not None:
        return ways.only
    if told_by:
        return (said > 0) != owned
    return ways.only if ways else None


def _is_owned(mention: Mention, told: Sentence) -> bool:
    """Whether a noun is said of the second name as its owner: A is B's sister."""
    return mention.noun and told.forms[told.anchors[-1] : mention.start] == ["s"]


def _by_same_verb(mention: Mention, told: Sentence, relation: str) -> bool | None:
    """Whether A does to B what the relation's own verb says (lives in, taught by); None where it has no such verb.

    A verb that is said of either end (an actor stars in a film, a film stars an actor) does not tell.
    """
    if any(entry.mark == "~" for entry in lexicon.entries_at(told.forms, mention.start)):
        return None
    parts = lexicon.parts(relation)
    roots = {root for form in told.forms[mention.start : mention.end] for root in lexicon.roots(form)}
    for place, form in enumerate(parts):
        verbal = _INFLECTED.search(form) or form in lexicon.irregular_forms()
        if verbal and roots & lexicon.roots(form):
            after = told.forms[mention.end : mention.end + 1]
            return (parts[place + 1 : place + 2] == ["by"]) == (after == ["by"])
    return None


def _tells_side(mention: Mention, told: Sentence) -> bool:
    """Whether it is said who does it to whom: by a noun with a possessor, by a verb after `does`, by a participle."""
    form, after = told.forms[mention.end - 1], told.forms[mention.end : mention.end + 1]
    if mention.noun or told.forms[0] not in DO:
        acts = form.endswith(("ed", "en", "ing")) or form in lexicon.irregular_forms()
        return after == ["of"] or told.possessed or _is_owned(mention, told) or (acts and not mention.noun)
    return True


def _is_of_likes(mention: Mention) -> bool:
    """Whether what a mention says holds both ways: a spouse, a neighbour."""
    families = lexicon.lexicon().families
    said = lexicon.families_of(mention.relations)
    if wording.is_mutual(mention):
        return True
    return bool(said) and all(families[family].symmetric for family in said)


def _written(steps: Sequence[Step]) -> str:
    """A pattern of one step, along any of some relations."""
    written = [pattern.format_path([step]) for step in steps]
    return written[0] if len(written) == 1 else f"({' | '.join(written)})"


# -- only where, or what -------------------------------------------------------------------------------------------


def _placed(told: Sentence, ends: tuple[Target, Target], catalogue: Catalogue) -> Verdict | None:
    """A in B, A on B, A a B: the relations that are called so, else the only one that joins such two."""
    ways = _ways(ends, catalogue)
    said = frozenset(told.forms) & _PLACING
    called = [relation for relation in ways if said.intersection(lexicon.parts(relation))]
    if not ways:
        others: list[Step] = [(r, not forward) for r, forward in ends[1].steps if said.intersection(lexicon.parts(r))]
        return Verdict(ends, _written(others) if others else None, tuple(sorted(said)), unfit=" ".join(sorted(said)))
    if not said and any(end.why == "described" for end in ends):
        return None
    if len(ways) > 1 and not called:
        return Verdict(ends, unfit=" ".join(sorted(said)))
    steps = [(relation, ways[relation].only) for relation in sorted(called or ways)]
    return Verdict(ends, _written(steps), tuple(sorted(said)) or ("is",), possible=True)


# -- a step that no two such nodes can have ----------------------------------------------------------------------------


def around(verdict: Verdict, catalogue: Catalogue) -> str | None:
    """What a relation that never joins two such kinds means: one step more, where there is only one such; else None.

    Born in a country is born in a city of it; to direct a thriller is to direct a film of that genre.
    """
    given = schema.given_kinds(catalogue)
    kinds = [frozenset(end.kinds) & given for end in verdict.ends]
    steps = pattern.single_steps(verdict.pattern) if verdict.pattern else []
    if verdict.possible or not all(kinds) or len(steps) != 1 or steps[0][1] is None:
        return None
    said = (steps[0][0], bool(steps[0][1]))
    found = [(said, last) for last in _between(_reached(kinds[0], said, catalogue), kinds[1], catalogue)]
    if verdict.ends[0].weight <= _SURE:  # a thriller: a word in small letters, not one who does it
        turned = (said[0], not said[1])
        found += [(first, said) for first in _between(kinds[0], _reached(kinds[1], turned, catalogue), catalogue)]
    beside = {step[0] for path in found for step in path if step != said}
    if len(found) != 1 or any(moved.is_done_elsewhere(said[0], silent) for silent in beside):
        return None
    return pattern.format_path(found[0])


def _reached(kinds: frozenset[str], step: tuple[str, bool], catalogue: Catalogue) -> frozenset[str]:
    """The kinds that a step leads to."""
    found = schema.each_way(catalogue)
    return frozenset(end for relation, forward, start, end in found if (relation, forward) == step and start in kinds)


def _between(kinds: frozenset[str], others: frozenset[str], catalogue: Catalogue) -> list[tuple[str, bool]]:
    """The steps from some kinds to others."""
    found = schema.each_way(catalogue)
    return sorted({(relation, forward) for relation, forward, start, end in found if start in kinds and end in others})
