"""What a retrieval runs, as one script for any DuckDB client."""

from __future__ import annotations

from mosaic_sql import render as rendering
from mosaic_sql import sqlfiles
from mosaic_sql.models import ChatModel
from mosaic_sql.pipeline import nested
from mosaic_sql.pipeline.controls import PolicyLike, is_free, over_text
from mosaic_sql.pipeline.results import Retrieval, Step
from mosaic_sql.pipeline.retriever import Retriever, Vector
from mosaic_sql.pipeline.steps import in_order
from mosaic_sql.text import counted


def script(
    retriever: Retriever, question: str, vector: Vector, *, policy: PolicyLike, analyst: ChatModel | None
) -> str:
    """The statements of a retrieval with their values as literals, and why this walk.

    A walk over relations that is left to the analyzer is run first: one that finds nothing gives way to the text. The
    described parts of a question are run too and come first, each a script of its own: what they found stands in the
    statements after them.
    """
    plain = retriever.plain()
    prepared = nested.prepare(plain, question, policy, vector, analyst=analyst)
    reason, operator = prepared.analysis.operator_reason, prepared.analysis.policy.walk.operator
    if is_free(policy) and operator in rendering.TYPED:
        run = plain.retrieve([question], [vector], policy=policy, keep_pruned=False, analyst=analyst)[0].analysis
        reason = run.operator_reason
        if run.policy.walk.operator != operator:
            operator = run.policy.walk.operator
            prepared = plain.prepare(question, over_text(policy), vector, analyst=analyst)
    steps = in_order(prepared.steps)
    scripts = [_step_script(number, len(steps), step) for number, step in enumerate(steps, 1)]
    found = [f"the nodes that {counted(len(steps), 'step')} above found stand here as literal values"] if steps else []
    own = rendering.readable_script(
        rendering.render([prepared.question], prepared.analysis.policy, plain.form()),
        title=f"retrieval for: {question}",
        notes=(
            f"operator {operator}: {reason}",
            f"policy by {prepared.analysis.analyzer}",
            *found,
            "run on the corpus file by any DuckDB client: duckdb FILE < this",
            "a long-lived handle may run the same walk over arrays in memory; this is its plain twin, same rows",
        ),
    )
    return "\n".join([*scripts, own])


def script_of(retrieval: Retrieval) -> str:
    """The statements that a retrieval ran, with their values as literals."""
    reason = f"operator {retrieval.policy.walk.operator}: {retrieval.analysis.operator_reason}"
    return rendering.readable_script(
        retrieval.statements, title=f"retrieval for: {retrieval.question}", notes=(reason,)
    )


def _step_script(number: int, count: int, step: Step) -> str:
    """A step's statements, its answers at the end."""
    names = ", ".join(found.name for found in step.nodes[:10]) + (", …" if len(step.nodes) > 10 else "")
    title = f"-- step {number} of {count}, {step.role}: {' '.join(step.text.split())}"
    found = f"-- found {counted(step.found, 'node')}: {' '.join(names.split()) or 'none'}"
    return "\n".join([title, found, script_of(step.retrieval), f"{sqlfiles.load('context.answers').body};", ""])
