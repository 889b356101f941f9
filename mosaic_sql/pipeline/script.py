"""What a retrieval runs, as one script for any DuckDB client."""

from __future__ import annotations

from dataclasses import replace

from mosaic_sql import refine as refining
from mosaic_sql import render as rendering
from mosaic_sql.models import ChatModel
from mosaic_sql.pipeline.retriever import PolicyLike, Retriever, Vector, is_free, over_text


def script(
    retriever: Retriever, question: str, vector: Vector, *, policy: PolicyLike, analyst: ChatModel | None
) -> str:
    """The statements of a retrieval with their values as literals, and why this walk.

    A walk over relations that is left to the analyzer is run first: one that finds nothing gives way to the text.
    """
    prepared = retriever.prepare(question, policy, vector, analyst=analyst)
    reason, operator = prepared.analysis.operator_reason, prepared.analysis.policy.walk.operator
    if is_free(policy) and operator in rendering.TYPED:
        run = retriever.retrieve([question], [vector], policy=policy, keep_pruned=False, analyst=analyst)[0].analysis
        reason = run.operator_reason
        if run.policy.walk.operator != operator:
            operator = run.policy.walk.operator
            prepared = retriever.prepare(question, over_text(policy), vector, analyst=analyst)
    form = replace(retriever.form(), expand="join", text="scan")
    chosen = prepared.analysis.policy
    refinement = refining.plan(chosen, retriever.catalogue())
    return rendering.readable_script(
        rendering.render([prepared.question], chosen, form, refinement),
        title=f"retrieval for: {question}",
        answers=rendering.refined_answers(chosen) if chosen.refine.is_active else None,
        notes=(
            f"operator {operator}: {reason}",
            f"policy by {prepared.analysis.analyzer}",
            "run on the corpus file by any DuckDB client: duckdb FILE < this",
            "a long-lived handle may run the same walk over arrays in memory; this is its plain twin, same rows",
        ),
    )
