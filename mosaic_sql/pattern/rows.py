"""An automaton as rows for SQL, a transition each, and what the rows tell of the walk along them.

A row is `{state, relation_id, forward, kind, next_state, accepts}`; NULL is any relation, either direction, any kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from mosaic_sql.pattern.parsing import Automaton


def transitions(automaton: Automaton, relations: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
    """An automaton as rows for SQL; `relations` gives the id of every relation it names.

    The first row is the entry, from state -1 to the start: the kind of the first node, and whether the empty path is
    accepted. No edge takes it.
    """
    entry = _transition(-1, 0, kind=automaton.start_kind, accepts=0 in automaton.accepting)
    steps = [
        _transition(
            transition.state,
            transition.next_state,
            relation_id=None if transition.relation is None else relations[transition.relation],
            forward=transition.forward,
            kind=transition.kind,
            accepts=transition.next_state in automaton.accepting,
        )
        for transition in automaton.transitions
    ]
    return (entry, *steps)


def any_path(direction: str) -> tuple[dict[str, Any], ...]:
    """The automaton of one state that takes every relation, for paths without a pattern; the depth bounds it."""
    forward = {"either": None, "forward": True, "backward": False}[direction]
    return (_transition(-1, 0, accepts=False), _transition(0, 0, forward=forward, accepts=True))


def _transition(
    state: int,
    next_state: int,
    *,
    accepts: bool,
    relation_id: int | None = None,
    forward: bool | None = None,
    kind: str | None = None,
) -> dict[str, Any]:
    """A row of `transition`."""
    return {
        "state": state,
        "relation_id": relation_id,
        "forward": forward,
        "kind": kind,
        "next_state": next_state,
        "accepts": accepts,
    }


def depth_of(rules: Iterable[Mapping[str, Any]], most: int) -> int:
    """Hops that the longest run along some rows has, from any state that a walk may start in; `most` at most."""
    after: dict[int, set[int]] = {}
    for rule in rules:
        after.setdefault(rule["state"], set()).add(rule["next_state"])
    states = {0} | after.pop(-1, set())
    for hops in range(most):
        states = {state for reached in states for state in after.get(reached, ())}
        if not states:
            return hops
    return most


def is_entered_freely(rules: Iterable[Mapping[str, Any]]) -> bool:
    """Whether any first node will do and the empty path will not."""
    return not any(rule["accepts"] or rule["kind"] is not None for rule in rules if rule["state"] == -1)


def is_short(rules: Collection[Mapping[str, Any]], most: int) -> bool:
    """Whether walks have 1 to `most` steps at the longest, and no step tests a kind."""
    tests = any(rule["kind"] is not None for rule in rules if rule["state"] >= 0)
    return not tests and 0 < depth_of(rules, most + 1) <= most
