"""Policies beside the adaptive one: the fixed ones, the budget-matched one, and single controls reset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor
from typing import Any

from mosaic_sql.bench.measures import mean
from mosaic_sql.policy import PART_OF, Policy, default_policy

MATCHED = ("seed_limit", "max_depth", "beam_width", "evidence_count")
"""Controls whose means make the budget-matched policy."""
CONTROLS = (
    "seed_limit", "seed_query_mode", "selection_mode", "max_depth", "beam_width", "anchor_strength", "use_connector",
    "stop_regime", "evidence_count", "min_evidence", "adaptive_final_evidence",
)  # fmt: skip
"""The eleven controls of table 3 of MOSAIC."""
TOLERANCE = 0.05
"""Relative difference of mean evidence characters up to which two rows count as equal in budget."""
TRIES = 5
"""Evidence counts that are tried to come within the tolerance."""
_MOST = 200
"""An evidence count that no context has room for."""


def value(policy: Policy, control: str) -> Any:
    """A control of a policy, by its name."""
    return getattr(getattr(policy, PART_OF[control]), control)


def matched(policies: Sequence[Policy], operator: str) -> Policy:
    """One fixed policy from the rounded means of seeds, depth, width and evidence of at least one policy."""
    means = {name: floor(mean([value(policy, name) for policy in policies]) + 0.5) for name in MATCHED}
    return with_controls(default_policy(operator), means)


def with_controls(policy: Policy, controls: Mapping[str, Any]) -> Policy:
    """`policy` with some controls set; the evidence floor gives way to a lower cap."""
    data = {**{name: value(policy, name) for name in ("evidence_count", "min_evidence")}, **controls}
    data["min_evidence"] = min(data["min_evidence"], data["evidence_count"])
    return Policy.parse(data, base=policy)


def reset(policy: Policy, control: str) -> Policy:
    """`policy` with one control back at its operator's default; the same policy where it stood there already."""
    return with_controls(policy, {control: value(default_policy(policy.walk.operator), control)})


def apart(one: float, other: float) -> float:
    """Relative difference of a value from what it should be; 0 where both are 0."""
    return abs(one - other) / other if other else float(one != other)


def nearest_count(start: int, wanted: float, characters: Callable[[int], float]) -> int:
    """The evidence count whose mean characters come nearest to `wanted`, of at most TRIES from `start` on.

    `characters(count)` retrieves with a count and gives its mean characters; more evidence is more characters.
    """
    tried = {start: characters(start)}
    while len(tried) < TRIES:
        best = min(tried, key=lambda count: (abs(tried[count] - wanted), count))
        if apart(tried[best], wanted) <= TOLERANCE:
            break
        count = _next(tried, best, wanted)
        if count is None:
            break
        tried[count] = characters(count)
        if tried[count] == tried[best]:  # the walk found no more than that
            break
    return min(tried, key=lambda count: (abs(tried[count] - wanted), count))


def _next(tried: Mapping[int, float], best: int, wanted: float) -> int | None:
    """By proportion from the best so far, but at least one step and not past a count known to be on the other side."""
    up = tried[best] < wanted
    ahead = max(1, floor(best * wanted / tried[best] + 0.5)) if tried[best] else 2 * best
    beyond = [count for count in tried if (count > best) == up and count != best]
    if up:
        count = min([max(ahead, best + 1), _MOST, *(other - 1 for other in beyond)])
        return count if count > best else None
    count = max([min(ahead, best - 1), *(other + 1 for other in beyond)])
    return count if 1 <= count < best else None
