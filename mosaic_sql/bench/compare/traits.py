"""Requirement alignment: whether questions with a trait get the control that the trait asks for (MOSAIC, section 5).

A question's traits come from its category or, where that says nothing, from the number of its supporting documents and
answers. They judge the policies after the fact; the analyzer never sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.bench.compare.questions import Question
from mosaic_sql.policy import Policy

LARGE_EVIDENCE = 12
"""Units from which an evidence budget counts as large."""
SHALLOW_DEPTH = 2
"""Hops up to which a walk counts as shallow, where its stop regime is shallow too."""
MANY_ANSWERS = 3
"""Answers from which a question of an unknown category counts as one with several."""

_HOPS = frozenset(
    "bridge chain compositional inference bridge_comparison multihop multi_hop 2hop 3hop 4hop 3hop1 3hop2 4hop1 4hop2 "
    "4hop3 complex_reasoning".split()
)
_TARGETS = frozenset("comparison bridge_comparison related whether intersection".split())
_ANSWERS = frozenset("list summary enumeration contextual_summarize".split())
_DIRECT = frozenset("direct single_hop 1hop fact_retrieval".split())
_KNOWN = _HOPS | _TARGETS | _ANSWERS | _DIRECT


@dataclass(frozen=True)
class Alignment:
    """Questions with a trait and without it, and the percent of each that get the control; None for no questions."""

    operator: str
    trait: str
    control: str
    with_trait: float | None
    without: float | None
    questions_with: int
    questions_without: int

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class _Trait:
    name: str
    control: str
    has: Callable[[Question], bool]
    gets: Callable[[Policy], bool]


def _kind(question: Question) -> str:
    return words.normalise(question.kind).replace(" ", "_")


def _of(kinds: frozenset[str], otherwise: Callable[[Question], bool]) -> Callable[[Question], bool]:
    """By the category where it is a known one, else by the count of what is known."""
    return lambda question: _kind(question) in kinds if _kind(question) in _KNOWN else otherwise(question)


TRAITS = (
    _Trait(
        "multi-target",
        "connector or a query per target",
        _of(_TARGETS, lambda question: False),
        lambda policy: policy.walk.use_connector or policy.seed.seed_query_mode == "per_target",
    ),
    _Trait(
        "multi-answer",
        f"evidence_count of {LARGE_EVIDENCE} or more",
        _of(_ANSWERS, lambda question: len(question.answers) >= MANY_ANSWERS),
        lambda policy: policy.evidence.evidence_count >= LARGE_EVIDENCE,
    ),
    _Trait(
        "multi-hop",
        "connector",
        _of(_HOPS, lambda question: len(question.support) > 1),
        lambda policy: policy.walk.use_connector,
    ),
    _Trait(
        "direct",
        f"max_depth of {SHALLOW_DEPTH} or less, shallow stop",
        _of(_DIRECT, lambda question: len(question.support) == 1),
        lambda policy: policy.walk.max_depth <= SHALLOW_DEPTH and policy.walk.stop_regime == "shallow",
    ),
)


def alignment(operator: str, questions: Sequence[Question], policies: Sequence[Policy]) -> list[Alignment]:
    """One row per trait; `policies` are those that the questions got, in their order."""
    rows = []
    for trait in TRAITS:
        got: dict[bool, list[bool]] = {True: [], False: []}
        for question, policy in zip(questions, policies, strict=True):
            got[trait.has(question)].append(trait.gets(policy))
        rows.append(
            Alignment(
                operator, trait.name, trait.control, _percent(got[True]), _percent(got[False]),
                len(got[True]), len(got[False]),
            )
        )  # fmt: skip
    return rows


def _percent(values: Sequence[bool]) -> float | None:
    return round(100 * sum(values) / len(values), 1) if values else None
