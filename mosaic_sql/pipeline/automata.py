"""The path patterns of a policy as automata for SQL: one for all anchors, or one for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_sql import pattern as patterns
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import Policy
from mosaic_sql.records import Catalogue, Target

Rows = tuple[Mapping[str, Any], ...]


def automata(policy: Policy, catalogue: Catalogue, targets: Sequence[Target]) -> tuple[Rows, Rows]:
    """Rows of `transition`, checked against the schema, and of `arm`.

    Each group of `targets`, in order, is an arm: it starts in the states of its own copy of the automaton, by its own
    pattern where it has one. Nodes of one name have a copy each, so that one may be reached from another; those that a
    description stands for share theirs. One copy and no arms are enough for one start whose answers are not combined.
    With answers from a kind that kind is the first arm.

    Raises:
        PolicyError: no pattern where the walk needs one, one that cannot be read or does not fit the schema.
    """
    if policy.walk.operator == "shortest_path":
        return patterns.any_path(policy.walk.direction), ()
    text, refine = _pattern(policy), policy.refine
    starts = _starts(targets) if policy.walk.operator == "meta_path" else []
    combined = policy.walk.operator == "meta_path" and (refine.combine != "union" or bool(refine.arms))
    if text is None or not (combined or len(starts) > 1):
        return (() if text is None else _transitions(text, catalogue, policy)), (_kind_arm() if combined else ())
    arms: list[Mapping[str, Any]] = list(_kind_arm()) if refine.answers_from == "kind" else []
    before, rows, first = len(arms), list[Mapping[str, Any]](), 0
    read = {own: _transitions(own, catalogue, policy) for own in {text, *refine.arms[: len(starts)]}}
    for place, group, node in starts:
        own = refine.arms[place - 1] if 0 < place <= len(refine.arms) else text
        rows += [
            {  # the entry keeps its state -1: no edge takes it
                **row,
                "state": row["state"] + first if row["state"] >= 0 else row["state"],
                "next_state": row["next_state"] + first,
            }
            for row in read[own]
        ]
        last = first + max(row["next_state"] for row in read[own])
        arms.append({"arm": before + place, "group_id": group, "node_id": node, "state": first, "last_state": last})
        first = last + 1
    return tuple(rows), tuple(arms)


def _starts(targets: Sequence[Target]) -> list[tuple[int, int, int | None]]:
    """(place among groups, group, node) of each start: the nodes of a name one by one, else the group as a whole."""
    groups: dict[int, dict[int, None]] = {}
    described = {target.group_id for target in targets if target.why == "described"}
    for target in targets:
        groups.setdefault(target.group_id, {}).update(dict.fromkeys(target.graph_ids or target.node_ids))
    found: list[tuple[int, int, int | None]] = []
    for place, (group, nodes) in enumerate(groups.items()):
        apart = len(nodes) > 1 and group not in described
        found += [(place, group, node) for node in (nodes if apart else [None])]
    return found


def _kind_arm() -> Rows:
    """The arm of what is not walked to."""
    return ({"arm": 0, "group_id": None, "node_id": None, "state": -1, "last_state": -1},)


def _pattern(policy: Policy) -> str | None:
    """The pattern that is walked; None for a walk that takes none."""
    operator, text = policy.walk.operator, policy.walk.pattern
    if operator not in ("meta_path", "constrained_shortest_path", "relation_scan"):
        return None
    if text is None and policy.refine.answers_from == "walk":
        raise PolicyError(
            f"pattern: {operator} needs one and the question names none; set a pattern such as author / ^author"
        )
    return text


def _transitions(text: str, catalogue: Catalogue, policy: Policy) -> Rows:
    automaton = patterns.parse(text)
    if policy.walk.operator == "relation_scan" and (automaton.min_length, automaton.max_length) != (1, 1):
        raise PolicyError(f"pattern: relation_scan takes a pattern of one step, such as author | ^editor; not {text}")
    relations = {relation: relation_id for relation_id, relation in catalogue.relations}
    patterns.check(automaton, relations=relations, kinds=catalogue.kinds, schema=catalogue.schema)
    return patterns.transitions(automaton, relations)
