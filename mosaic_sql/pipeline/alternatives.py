"""What else the words of a question allow, for want of an answer: the next patterns, then each anchor by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mosaic_sql.pipeline.automata import automata
from mosaic_sql.policy import Correction, Policy
from mosaic_sql.records import Analysis, Catalogue

if TYPE_CHECKING:
    from mosaic_sql.pipeline.retriever import Prepared


def of(item: Prepared, catalogue: Catalogue) -> Iterator[Prepared]:
    """A prepared question read otherwise, one after the other, the reason told."""
    analysis = item.analysis
    for pattern in analysis.alternatives:
        policy = Policy.parse({"pattern": pattern}, base=analysis.policy)
        reason = f"{analysis.operator_reason}; nothing follows {analysis.policy.walk.pattern}"
        yield _again(item, replace(analysis, policy=policy, operator_reason=reason), catalogue)
    if analysis.each and analysis.policy.refine.combine == "intersection":
        policy = Policy.parse({"combine": "union"}, base=analysis.policy)
        correction = Correction("combine", "intersection", "union", analysis.each)
        apart = replace(analysis, policy=policy, corrections=(*analysis.corrections, correction))
        yield _again(item, replace(apart, operator_reason=f"{analysis.operator_reason}; {analysis.each}"), catalogue)


def _again(item: Prepared, analysis: Analysis, catalogue: Catalogue) -> Prepared:
    transitions, arms = automata(analysis.policy, catalogue, analysis.targets)
    question = replace(item.question, transitions=transitions, arms=arms)
    return replace(item, analysis=analysis, question=question)
