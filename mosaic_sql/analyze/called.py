"""What an everyday noun calls nodes whose kinds nobody gave: a museum is where something is housed."""

from __future__ import annotations

import re
from collections.abc import Collection

from mosaic_sql.analyze import lexicon, schema
from mosaic_sql.analyze.drafting import kinds_in
from mosaic_sql.records import Catalogue

_ASKED = re.compile(r"\W*(?:in |at |for |by )?(?:which|what) (\w+)", re.IGNORECASE)


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


def of_noun(noun: str, catalogue: Catalogue) -> list[str]:
    """The inferred kinds of what a relation leads to whose nodes a noun calls so, by the name of the relation alone."""
    roles, inferred = _roles(noun), schema.inferred_kinds(catalogue)
    own = [kind for kind in catalogue.kinds if kind in inferred and not kind.startswith("has ")]
    return [kind for kind in own if roles & set(schema.roles_of(kind, True))]


def is_literal(kind: str, noun: str, catalogue: Catalogue) -> bool:
    """Whether a noun is the name of a kind, rather than like it: composers are no nodes of the kind `composed`."""
    given = kind not in schema.inferred_kinds(catalogue)
    return given or any(lexicon.is_noun(noun, part) for part in lexicon.parts(kind))


def _roles(noun: str) -> frozenset[tuple[str, bool]]:
    """What a noun calls somebody or something: (word family, whether its one end)."""
    entries = lexicon.entries_at([noun], 0) if noun else []
    return frozenset((one.family, one.role == "one") for one in entries if one.role != "verb")
