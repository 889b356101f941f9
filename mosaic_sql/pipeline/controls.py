"""What a caller says of a policy: a name, a Policy, or controls to override."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import NAMED_POLICIES, Policy

LONGEST = 10_000
"""Characters of a question: what it costs to read one grows faster than its length."""
PolicyLike = str | Policy | Mapping[str, Any] | None


def over_text(policy: PolicyLike) -> dict[str, Any]:
    """The caller's controls for a walk over the text."""
    return {**(policy if isinstance(policy, Mapping) else {}), "operator": "chunk_hop"}


def is_free(policy: PolicyLike) -> bool:
    """Whether the caller left the choice of the walk to the analyzer."""
    if policy is None or policy == "default":
        return True
    walk = policy.get("walk") if isinstance(policy, Mapping) else None
    held = {*policy, *(walk if isinstance(walk, Mapping) else ())} if isinstance(policy, Mapping) else {"operator"}
    return not held & {"operator", "pattern", "policy"}


def policy_parts(policy: PolicyLike) -> tuple[str, dict[str, Any]]:
    """The named policy and the controls that override it."""
    if policy is None:
        return "default", {}
    if isinstance(policy, str):
        if policy not in NAMED_POLICIES:
            raise PolicyError(f"policy: unknown {policy!r}; one of {', '.join(NAMED_POLICIES)}, or a JSON file")
        return policy, {}
    if isinstance(policy, Policy):
        return "default", policy.model_dump()
    if not isinstance(policy, Mapping):
        raise PolicyError(f"policy: expected a name, a Policy or controls, got {type(policy).__name__}")
    overrides = dict(policy)
    return str(overrides.pop("policy", "default")), overrides


def clean(question: object) -> str:
    """A question that SQL and an embedder can take: no NUL, no lone surrogate, neither empty nor too long."""
    if not isinstance(question, str):
        raise PolicyError(f"question: expected text, got {type(question).__name__}")
    cleaned = words.storable(question)
    if not cleaned.strip():
        raise PolicyError("question: empty; ask something")
    if len(cleaned) > LONGEST:
        raise PolicyError(f"question: {len(cleaned):,} characters, {LONGEST:,} are read; ask in fewer words")
    return cleaned
