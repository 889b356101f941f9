"""The path pattern of a policy as an automaton for SQL, held against the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mosaic_sql import pattern as patterns
from mosaic_sql import render as rendering
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import Policy
from mosaic_sql.records import Catalogue


def transitions(policy: Policy, catalogue: Catalogue) -> tuple[Mapping[str, Any], ...]:
    """The automaton of a policy's pattern, checked against the schema."""
    operator, text = policy.walk.operator, policy.walk.pattern
    if operator == "shortest_path":
        return rendering.any_path(policy.walk.direction)
    if operator not in ("meta_path", "constrained_shortest_path", "relation_scan"):
        return ()
    if text is None:
        raise PolicyError(
            f"pattern: {operator} needs one and the question names none; set a pattern such as author / ^author"
        )
    automaton = patterns.parse(text)
    if operator == "relation_scan" and (automaton.max_length != 1 or automaton.min_length != 1):
        raise PolicyError(f"pattern: relation_scan takes a pattern of one step, such as author | ^editor; not {text}")
    relations = {relation: relation_id for relation_id, relation in catalogue.relations}
    patterns.check(automaton, relations=relations, kinds=catalogue.kinds, schema=catalogue.schema)
    return rendering.transitions(automaton, relations)
