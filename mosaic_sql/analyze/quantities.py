"""Whether a question asks for a number that is told of a node, or for the nodes of which that is the number."""

from __future__ import annotations

import re

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import asking, properties
from mosaic_sql.analyze.drafting import Draft, Path, Step, only_step, stems_of
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Catalogue, Property, Target

_WHO = re.compile(r"\b(?:who|whom)\b", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:(?P<which>which)|list|show|name|give|what (?:are|were))\b", re.IGNORECASE)


def is_number(path: Path, catalogue: Catalogue) -> bool:
    """Whether a path leads to the number that is asked for, rather than to what would have to be counted."""
    steps = patterns.single_steps(path.pattern)
    told = {one.name for one in catalogue.properties if one.owner == "relation" and one.type == "number"}
    return bool(steps) and all(forward and relation in told for relation, forward in steps)


def asks_for_nodes(draft: Draft, found: Property, *, may_list: bool) -> bool:
    """Whether no number and no date is asked for, though a word names one: who founded A, list its employees."""
    if found.type not in ("number", "date"):
        return False
    if _WHO.search(draft.asked.rest):
        return True
    listed, own = _LISTED.match(draft.asked.rest), properties.stems(found.name)
    told = [token.form for token in words.tokens(draft.asked.rest) if token.form not in FUNCTION]
    many = any(asking.is_plural(form) and words.stem(form) in own for form in told)
    more = bool(listed and listed["which"]) and any(words.stem(form) not in own for form in told)
    return bool(listed) and many and (may_list or more)


def to_measured(draft: Draft, anchor: Target) -> Path | None:
    """The only step to the kind that has the number an order or a mean is of: the mean weight of the mammals."""
    asked = draft.asked
    if not (asked.sort or asked.overall):
        return None
    said = stems_of(f"{asked.rest} {asked.sort.words if asked.sort else ''}")
    known = [one for one in draft.catalogue.properties if one.owner != "relation" and one.type == "number"]
    named = properties.mentioned(said, known, ("number",))
    own = [one for one in known if named and (one.owner, one.name) == (named.owner, named.name)]
    labels = {one.label for one in own}
    if named is None or labels & set(anchor.kinds):
        return None
    step = only_step(draft, anchor, **({"to": labels} if named.owner == "node" else {"over": labels}))
    return Step(step, ()) if step else None
