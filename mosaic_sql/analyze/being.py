"""What is asked of those that nodes tell the sort of, and of nothing else: both poets and diplomats, all painters.

No kind of the graph stands for them; they are reached from the node of one sort, and held to those of the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import fitting, properties, schema, sorts
from mosaic_sql.analyze.afterwards import after_walk
from mosaic_sql.analyze.clauses import DETERMINERS, RELATIVES, Item, items
from mosaic_sql.analyze.drafting import Draft, Step, kinds_in, names_kind
from mosaic_sql.analyze.sentence import BE
from mosaic_sql.records import Catalogue, Target

_OTHERWISE = frozenset("or nor not no neither without but except never".split())
_TOGETHER = frozenset("both also as well who that".split())
_ALONE = frozenset("exist exists graph database total altogether".split())


def find(question: str, named: Sequence[Target], catalogue: Catalogue) -> list[Target]:
    """The nodes each of which tells of what sort the answers are; none where a question names something else.

    One alone is none where its kind was given: all nodes of that are read then.
    """
    named = [one for one in named if not one.alias_key.isdigit()]
    held = items(question, named)
    found = [item.target for item in held if item.target]
    forms = {item.form for item in held}
    if not found or forms & _OTHERWISE or not all(sorts.may_sort(question, one, catalogue) for one in found):
        return []
    if len(found) == 1:
        asked = sorts.find(question, named, catalogue)
        return found if asked and asked.is_bare and not sorts.is_of_given(found[0], catalogue) else []
    return found if _are_held(held) else []


def _are_held(held: Sequence[Item]) -> bool:
    """Whether several nodes are all said of the answers: poets who were diplomats, women poets; not poets and women."""
    places = [place for place, item in enumerate(held) if item.target]
    for first, last in itertools.pairwise(places):
        between = {item.form for item in held[first + 1 : last]}
        before = {item.form for item in held[:last]}
        if not between <= BE | RELATIVES | DETERMINERS | _TOGETHER | {"and", "too"}:
            return False
        if "and" in between and not before & {"both", "also"}:
            return False
    return True


def held(draft: Draft, found: Sequence[Target]) -> bool:
    """Walk from the first of such nodes to what is of its sort, and hold that to the others; False where more is said.

    The draft has the nodes as its anchors.
    """
    first, *others = found
    relation = sorts.leading(first, draft.catalogue)
    if relation is None or draft.asked.each or draft.asked.than:
        return False
    draft.walk(Step(patterns.format_path([(relation, False)]), tuple(words.stems(first.alias_key))), first.kinds)
    left = [form for form in _left(draft) if fitting.is_telling(form)]
    if left or draft.texts or draft.group:
        return False
    draft.anchors, draft.sorts = [first], [(one,) for one in others]
    draft.refine["answers_from"] = "walk"
    draft.reasons.append(f"{relation} is {first.node_names[0]}, from: {first.name}")
    after_walk(draft)
    return True


def _left(draft: Draft) -> list[str]:
    """The words outside of names and cues that are no noun for what is asked for."""
    asked = draft.asked
    said = properties.time_verbs(asked.rest) if asked.bounds or asked.sort else frozenset[str]()
    said |= {words.stem(noun) for noun in (asked.sort.noun if asked.sort else "").split()}
    return [
        token.form
        for token in words.tokens(asked.rest)
        if not (names_kind(token.form, draft.catalogue) and not _is_other(token.form, draft))
        and words.stem(token.form) not in said
        and token.form not in _TOGETHER | _ALONE
    ]


def _is_other(form: str, draft: Draft) -> bool:
    """Whether a noun is for a kind that was given, and not one of those that are reached."""
    own = set(kinds_in(form, draft.catalogue)) & schema.given_kinds(draft.catalogue)
    return bool(own) and not own & draft.kinds
