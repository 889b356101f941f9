"""What an analyzer makes of many questions: how often a model's reply held, what was corrected, how policies differ."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mosaic_sql.analyze.signals import controls
from mosaic_sql.ingest.store import Progress
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.pipeline import Corpus
from mosaic_sql.pipeline.analysts import AnalyzerLike
from mosaic_sql.pipeline.controls import PolicyLike
from mosaic_sql.policy import PART_OF
from mosaic_sql.records import Analysis

_NOT_PROPOSED = ("analyzer", "window_ranking")
"""Corrections of no proposal: who read the question, and what a corpus without vectors holds down."""


@dataclass(frozen=True)
class Read:
    """One question read.

    `outcome` is `rules` (no model was asked), `at once` or `after the retry` (its reply was used), or `fell back` (the
    rules took its place). `corrections` are fields with the reason; `controls` those that an analyzer may move.
    """

    question: str
    outcome: str
    operator: str
    controls: dict[str, Any]
    signals: dict[str, int]
    targets: int
    facets: tuple[str, ...]
    corrections: tuple[tuple[str, str], ...]
    prompt_tokens: int
    completion_tokens: int
    seconds: float


def study(
    corpus: Corpus,
    asked: Sequence[str],
    *,
    policy: PolicyLike = None,
    analyzer: AnalyzerLike = None,
    progress: Progress | None = None,
) -> Iterator[Read]:
    """Every question read, one after the other; nothing is walked."""
    for number, question in enumerate(asked, start=1):
        started = time.perf_counter()
        analysis = corpus.analyze(question, policy=policy, analyzer=analyzer)
        yield _read(analysis, time.perf_counter() - started)
        if progress is not None:
            progress("questions", number, len(asked))


def prompt(corpus: Corpus, question: str, *, policy: PolicyLike) -> str:
    """What a model would be asked of a question; empty where the rules decide alone. None is asked."""
    silent = ScriptedChat([])
    corpus.analyze(question, policy=policy, analyzer=silent)
    asked = silent.calls[0].messages if silent.calls else ()
    return "\n".join(f"{message['role']}:\n{message['content']}" for message in asked)


def _read(analysis: Analysis, seconds: float) -> Read:
    policy = analysis.policy
    return Read(
        question=analysis.question,
        outcome=_outcome(analysis),
        operator=policy.walk.operator,
        controls={name: getattr(getattr(policy, PART_OF[name]), name) for name in controls()},
        signals=dict(analysis.signals),
        targets=len(analysis.targets),
        facets=analysis.facets,
        corrections=tuple(
            (each.field, each.reason) for each in analysis.corrections if each.field not in _NOT_PROPOSED
        ),
        prompt_tokens=sum(call.prompt_tokens for call in analysis.calls),
        completion_tokens=sum(call.completion_tokens for call in analysis.calls),
        seconds=seconds,
    )


def _outcome(analysis: Analysis) -> str:
    if any(each.field == "analyzer" for each in analysis.corrections):
        return "fell back"
    if not analysis.calls:
        return "rules"
    return "at once" if len(analysis.calls) == 1 else "after the retry"


def summary(read: Sequence[Read]) -> dict[str, Any]:
    """Counts and means over the questions read (at least one); seconds are per question."""
    reasons = Counter(f"{field}: {reason}" for each in read for field, reason in each.corrections)
    times = sorted(each.seconds for each in read)
    return {
        "questions": len(read),
        **dict.fromkeys(("rules", "at once", "after the retry", "fell back"), 0),
        **Counter(each.outcome for each in read),
        "corrected": sum(bool(each.corrections) for each in read),
        "corrections": dict(reasons.most_common()),
        "seconds": round(statistics.fmean(times), 3),
        "p95_seconds": round(times[min(len(times) - 1, int(0.95 * len(times)))], 3),
        "prompt_tokens": sum(each.prompt_tokens for each in read),
        "completion_tokens": sum(each.completion_tokens for each in read),
        "distinct_policies": len({json.dumps([each.operator, each.controls]) for each in read}),
        "mean_depth": round(statistics.fmean(each.controls["max_depth"] for each in read), 2),
        "connector_share": round(statistics.fmean(bool(each.controls["use_connector"]) for each in read), 2),
    }


def told(read: Sequence[Read]) -> dict[str, Any]:
    """The summary and every question, for a program."""
    return {**summary(read), "read": [asdict(each) for each in read]}
