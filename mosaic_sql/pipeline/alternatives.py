"""The next patterns that the words of a question allow, for want of an answer to the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mosaic_sql.pipeline.automata import automata
from mosaic_sql.policy import Policy
from mosaic_sql.records import Catalogue

if TYPE_CHECKING:
    from mosaic_sql.pipeline.retriever import Prepared


def of(item: Prepared, catalogue: Catalogue) -> Iterator[Prepared]:
    """A prepared question with each of its other patterns in turn, the reason told."""
    analysis = item.analysis
    for pattern in analysis.alternatives:
        policy = Policy.parse({"pattern": pattern}, base=analysis.policy)
        reason = f"{analysis.operator_reason}; nothing follows {analysis.policy.walk.pattern}"
        groups = list(dict.fromkeys(target.group_id for target in analysis.targets))
        transitions, arms = automata(policy, catalogue, groups)
        question = replace(item.question, transitions=transitions, arms=arms)
        yield replace(item, analysis=replace(analysis, policy=policy, operator_reason=reason), question=question)
