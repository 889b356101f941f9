"""What an everyday noun calls nodes whose kinds nobody gave: a museum is where something is housed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql.analyze import lexicon, properties, schema
from mosaic_sql.analyze.drafting import Draft, kinds_in
from mosaic_sql.analyze.nouns import TYPE_NOUNS
from mosaic_sql.records import Catalogue

_ASKED = re.compile(r"\W*(?:in |at |for |by )?(?:which|what) (\w+)", re.IGNORECASE)
_DOERS = re.compile(
    r"\W*(?:(?:which|what|list|name|show|how many|all|the|me|of)\s+)*(\w+)\s+"
    r"(?!of\b|by\b|for\b|in\b|from\b|s\b)(?=[a-z])",
    re.IGNORECASE,
)


def asked(question: str) -> str:
    """The noun for what a question asks for, in small letters: which city; empty for none."""
    found = _ASKED.match(question)
    return found[1].lower() if found else ""


def fits(noun: str, kinds: Collection[str], catalogue: Catalogue) -> bool:
    """Whether nodes of one of some kinds may be called by a noun; one that nothing is known of fits any."""
    named, roles = set(kinds_in(noun, catalogue)), _roles(noun)
    if not named and not roles:
        return True
    graph = schema.schema_graph(catalogue)
    return bool(named & set(kinds)) or any(roles & graph.roles.get(kind, frozenset()) for kind in kinds)


def other_place(question: str, pattern: str, kinds: Sequence[str], catalogue: Catalogue) -> str:
    """The noun for a place that is asked for, where the graph has such and a pattern leads to none; else empty.

    Only of ends whose kinds were inferred: where a kind was given, that tells what a place is.
    """
    noun, graph = asked(question), schema.schema_graph(catalogue)
    ends = properties.ends(pattern, kinds, catalogue).kinds
    if not any(lexicon.is_noun(noun, place) for place in TYPE_NOUNS["where"][2:]) or not ends <= graph.inferred:
        return ""
    families = lexicon.lexicon().families
    places = {role for role in _roles(noun) if families[role[0]].asks == "where"}
    known = {kind for kind, roles in graph.roles.items() if places & roles}
    return noun if known and not known & ends else ""


def of_noun(noun: str, catalogue: Catalogue) -> list[str]:
    """The inferred kinds of what a relation leads to whose nodes a noun calls so, by the name of the relation alone."""
    roles, inferred = _roles(noun), schema.inferred_kinds(catalogue)
    own = [kind for kind in catalogue.kinds if kind in inferred and not kind.startswith("has ")]
    return [kind for kind in own if roles & set(schema.roles_of(kind, True))]


def doing(draft: Draft) -> str | None:
    """The one step that who does something has, by the noun for those that are asked for: writers, who wrote anything.

    None where the walk goes over such a step, the noun is followed by whose it is, or a given kind is called so.
    """
    found = _DOERS.match(draft.asked.rest)
    noun = found[1].lower() if found else ""
    families = {one.family for one in _who(noun)}
    given = schema.given_kinds(draft.catalogue)
    if not families or any(lexicon.is_noun(noun, part) for kind in given for part in lexicon.parts(kind)):
        return None
    walked = {one.relation for one in patterns.parse(draft.pattern).transitions} if draft.pattern else set[str | None]()
    steps = {
        (relation, not lexicon.label(relation).families[family])
        for _, relation in draft.catalogue.relations
        for family in families & lexicon.label(relation).named
    }
    if len(steps) != 1 or walked & {relation for relation, _ in steps}:
        return None
    return patterns.format_path(sorted(steps))


def hold_doing(draft: Draft) -> None:
    """Only answers that have done what the noun for them says."""
    step = doing(draft)
    if step is None or not draft.pattern or not {"having", "degree_of"}.isdisjoint(draft.refine):
        return
    draft.refine.update(having=">=", having_count=1, having_of="degree", degree_of=step)
    draft.reasons.append(f"that have {step}")


def _who(noun: str) -> list[lexicon.Entry]:
    """What a noun says that somebody does; none where it says something else too, or something of both ends."""
    entries = lexicon.entries_at([noun], 0) if noun else []
    families = lexicon.lexicon().families
    own = [one for one in entries if one.role == "one" and families[one.family].asks == "who"]
    alike = any(families[one.family].symmetric for one in own)
    return own if len(own) == len([one for one in entries if one.role != "verb"]) and not alike else []


def is_literal(kind: str, noun: str, catalogue: Catalogue) -> bool:
    """Whether a noun is the name of a kind, rather than like it: composers are no nodes of the kind `composed`."""
    given = kind not in schema.inferred_kinds(catalogue)
    return given or any(lexicon.is_noun(noun, part) for part in lexicon.parts(kind))


def _roles(noun: str) -> frozenset[tuple[str, bool]]:
    """What a noun calls somebody or something: (word family, whether its one end)."""
    entries = lexicon.entries_at([noun], 0) if noun else []
    return frozenset((one.family, one.role == "one") for one in entries if one.role != "verb")
