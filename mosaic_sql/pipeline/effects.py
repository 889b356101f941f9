"""What single controls did in a retrieval by `beam`: texts that searched, the anchor's weight, paths that connect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_sql import seed as seeding
from mosaic_sql.policy import Policy
from mosaic_sql.records import Analysis
from mosaic_sql.render import TYPED

Row = Mapping[str, Any]
_LIFTED = {"target_relevance": 1, "anchor_consistency": 1, "transition_alignment": 1, "hub_exposure": -1}
"""Features whose weight an anchor lifts (walk.path_score), each with its sign in eq. 8."""


@dataclass(frozen=True)
class Searched:
    """A text that looked for something: `seed` searched the seed indexes, `facet` is to be covered.

    `target` is the name it asks for, None where it asks for the whole question.
    """

    role: str
    text: str
    target: str | None


@dataclass(frozen=True)
class Joined:
    """Connector paths between two seeds: looked at, kept, the best score, and units of evidence that rest on one."""

    source: str
    target: str
    evaluated: int
    kept: int
    best_score: float
    units: int


def searched(analysis: Analysis) -> tuple[Searched, ...]:
    """The texts that searched the indexes, in order; a walk over relations starts from names and searches by none."""
    operator = analysis.policy.walk.operator
    if operator in TYPED:
        return ()
    names = {target.group_id: target.name for target in analysis.targets}
    wanted = seeding.wanted(analysis) if operator == "beam" else []
    found = [Searched(each.role, each.text, names.get(each.group_id or 0) if each.group_id is not None else None)
             for each in wanted]  # fmt: skip
    if not any(each.role == "seed" for each in found):
        found.insert(0, Searched("seed", analysis.question, None))
    return tuple(found)


def boost(policy: Policy) -> float:
    """What an anchor multiplies the weights of target, anchor, transition and hub by: 1 below a strength of 0.4."""
    strength = policy.walk.anchor_strength
    return 1.0 if strength < 0.4 else 1 + (strength - 0.4) / 0.6


def kept_by_anchor(rows: Sequence[Row], policy: Policy) -> int:
    """Kept paths of one depth that would not be among the best without the anchor's lift.

    Args:
        rows: every candidate of a depth as the walk tells it, kept or not.
        policy: what was walked.
    """
    lift, weights = boost(policy) - 1, policy.walk.weights
    if lift == 0 or policy.walk.operator != "beam":
        return 0

    def plainly(row: Row) -> tuple[Any, ...]:
        extra = sum(sign * getattr(weights, name) * row["terms"][name] for name, sign in _LIFTED.items())
        parent = row["parent_id"]
        return -round(row["score"] - lift * extra, 12), parent is None, parent, row["edges"]

    known, taken = set[frozenset[int]](), Counter[int | None]()
    without = set[frozenset[int]]()
    for row in sorted(
        rows, key=plainly
    ):  # as walk.beam_step prunes: the better of two over the same edges, then the best
        edges, pool = frozenset(row["edges"]), row["nodes"][0] if policy.walk.beam_scope == "seed" else None
        if edges not in known and taken[pool] < policy.walk.beam_width:
            without.add(edges)
        taken[pool] += edges not in known
        known.add(edges)
    return sum(row["kept"] and frozenset(row["edges"]) not in without for row in rows)


def joined(walk: Sequence[Row], evidence: Sequence[Row], names: Mapping[int, str]) -> tuple[Joined, ...]:
    """Connector paths by the two seeds that they join, in order of their first appearance; `names` are the seeds'."""
    pairs: dict[tuple[int, int], list[Row]] = {}
    for row in walk:
        if row["view"] == "connector":
            pairs.setdefault((row["nodes"][0], row["nodes"][-1]), []).append(row)
    resting = [unit["path_id"] for unit in evidence if unit["kept"]]
    return tuple(
        Joined(
            source=names.get(source, f"node {source}"),
            target=names.get(target, f"node {target}"),
            evaluated=len(rows),
            kept=sum(row["kept"] for row in rows),
            best_score=max(row["score"] for row in rows),
            units=sum(resting.count(row["path_id"]) for row in rows),
        )
        for (source, target), rows in pairs.items()
    )
