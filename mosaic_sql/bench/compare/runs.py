"""One question asked one way: what was found, how far the walk went, how long it took."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_sql import answer as answering
from mosaic_sql import sqlfiles
from mosaic_sql.bench import measures
from mosaic_sql.bench.compare import statements
from mosaic_sql.bench.compare.questions import Question
from mosaic_sql.bench.compare.statements import Part
from mosaic_sql.bench.indexing import since
from mosaic_sql.pipeline import Corpus, Retrieval
from mosaic_sql.policy import Policy
from mosaic_sql.records import Context

ARMS = ("bm25", "dense")
"""Methods without a walk that a budget study has beside the policies."""
SHARES = ("R@5", "all@5", "kept_recall", "statements", "in_passage", "precision", "chance", "answers")
"""Measures in [0, 1], told in percent; a question without the gold data that one needs has none."""
TIMES = ("analyze_ms", "retrieve_ms", "answer_ms")
EFFORT = ("paths", "depth", "beam", "units", "chars", *TIMES)
RECALL_AT = 5
_FUSION_CONSTANT = 60
_ARM_CHUNKS = 100

Scores = Mapping[str, float]
"""Measure -> value of one question."""


@dataclass(frozen=True)
class Item:
    """A question, and another one whose statements show what a context holds by chance (None for no other)."""

    question: Question
    other: Question | None = None


@dataclass(frozen=True)
class Run:
    """What one question got."""

    policy: Policy
    scores: Scores


def ask(corpus: Corpus, item: Item, policy: Policy | Mapping[str, Any], budgets: Sequence[int] = ()) -> Run:
    """Retrieve for a question under a policy, answer by quoting, and measure all of it.

    `retrieve_ms` is the whole retrieval but for the reading of the question (`analyze_ms`: names linked, policy
    chosen), the paths that were not kept handed out too; `answer_ms` is the context and the answer.
    """
    question = item.question
    started = time.perf_counter()
    retrieval = corpus.retrieve(question.text, policy=policy, keep_pruned=True)
    took = since(started)
    analyzed = sum(stage.milliseconds for stage in retrieval.stages if stage.stage == "link")
    started = time.perf_counter()
    context = retrieval.context
    answering.answer(retrieval.question, context, analysis=retrieval.analysis, found=retrieval.answers)
    times = {"analyze_ms": analyzed, "retrieve_ms": took - analyzed, "answer_ms": since(started)}
    parts = parts_of(context)
    found = {**_found(retrieval, question), **_said(item, parts)}
    return Run(retrieval.policy, {**found, **_effort(retrieval, parts), **times, **_cut(item, parts, budgets)})


def arms(corpus: Corpus, item: Item, budgets: Sequence[int]) -> dict[str, Scores]:
    """What the chunks that an arm of `base` ranks first say within each budget, the last one cut as a context is.

    An arm that finds nothing, as in a corpus without text or without vectors, has an empty context.
    """
    corpus.retrieve(item.question.text, policy={"operator": "chunk_hop"})  # leaves `base` behind
    parameters = {"fusion_constant": _FUSION_CONSTANT, "ranking_limit": _ARM_CHUNKS}
    rows = corpus.connection.execute(sqlfiles.load("evidence.arms").body, parameters).fetchall()
    texts = _chunks(corpus, sorted({chunk_id for _, _, _, chunk_id, _ in rows}))
    found: dict[str, Scores] = {}
    for arm in ARMS:
        ranked = [(chunk_id, source) for _, name, _, chunk_id, source in rows if name == arm]
        parts = [texts[chunk_id] for chunk_id, _ in ranked]
        scores = _ranked(item.question, measures.by_first_appearance(source for _, source in ranked))
        found[arm] = {**scores, **_cut(item, parts, budgets)}
    return found


def parts_of(context: Context) -> list[Part]:
    """The passages of a context; what is written out of a graph has no title."""
    return [Part(p.text, p.title if p.chunk_id is not None else "") for p in context.passages]


def _chunks(corpus: Corpus, chunk_ids: Sequence[int]) -> dict[int, Part]:
    rows = corpus.connection.execute(sqlfiles.load("context.chunk_texts").body, {"chunk_ids": list(chunk_ids)})
    return {chunk_id: Part(text, title) for chunk_id, title, text in rows.fetchall()}


def _found(retrieval: Retrieval, question: Question) -> dict[str, float]:
    """Documents found: in the ranking before the cap, and among what the cap kept."""
    if not question.support:
        return {}
    ranking = measures.by_first_appearance(retrieval.evidence.rows["source"].to_pylist())
    kept = measures.by_first_appearance(retrieval.to_arrow()["source"].to_pylist())
    return {**_ranked(question, ranking), "kept_recall": measures.recall(kept, question.support, len(kept))}


def _ranked(question: Question, ranking: Sequence[str]) -> dict[str, float]:
    if not question.support:
        return {}
    share = measures.recall(ranking, question.support, RECALL_AT)
    return {"R@5": share, "all@5": float(share == 1)}


def _said(item: Item, parts: Sequence[Part]) -> dict[str, float]:
    """What the context says of the gold statements and answers, and of another question's statements."""
    scores: dict[str, float] = {}
    if wanted := statements.statements(item.question.statements):
        scores |= statements.judge(wanted, parts)
        if item.other is not None and (others := statements.statements(item.other.statements)):
            scores["chance"] = statements.share_held(others, parts)
    if answers := statements.statements(item.question.answers):
        scores["answers"] = statements.share_held(answers, parts)
    return scores


def _effort(retrieval: Retrieval, parts: Sequence[Part]) -> dict[str, float]:
    walk = retrieval.walk.rows
    depths = [
        depth for depth, kept in zip(*(walk[name].to_pylist() for name in ("depth", "kept")), strict=True) if kept
    ]
    reached, walked = max(depths, default=0), sum(depth > 0 for depth in depths)
    return {
        "paths": measures.paths_scored(walk),
        "depth": reached,
        "beam": walked / max(1, reached),
        "units": retrieval.to_arrow().num_rows,
        "chars": statements.length(parts),
    }


def _cut(item: Item, parts: Sequence[Part], budgets: Sequence[int]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for budget in budgets:
        scores |= _within(item, statements.cut(parts, budget), budget)
    return scores


def _within(item: Item, parts: Sequence[Part], budget: int) -> dict[str, float]:
    """`measure@budget` of a context that was cut to it."""
    scores = {**_said(item, parts), "chars": statements.length(parts)}
    return {f"{name}@{budget}": value for name, value in scores.items()}
