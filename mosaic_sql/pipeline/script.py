"""What a retrieval runs, as one script for any DuckDB client."""

from __future__ import annotations

from mosaic_sql import refine as refining
from mosaic_sql import render as rendering
from mosaic_sql import sqlfiles
from mosaic_sql.models import ChatModel
from mosaic_sql.pipeline import nested
from mosaic_sql.pipeline.controls import PolicyLike, is_free
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
    analysis, before = prepared.analysis, prepared.steps
    if is_free(policy) and analysis.policy.walk.operator in rendering.TYPED:
        run = plain.retrieve([question], [vector], policy=policy, keep_pruned=False, analyst=analyst)[0]
        analysis, before, statements = run.analysis, run.steps, run.statements
    else:
        refinement = refining.plan(analysis.policy, retriever.catalogue())
        statements = rendering.render([prepared.question], analysis.policy, plain.form(), refinement)
    steps = in_order(before)
    scripts = [_step_script(number, len(steps), step) for number, step in enumerate(steps, 1)]
    found = [f"the nodes that {counted(len(steps), 'step')} above found stand here as literal values"] if steps else []
    own = rendering.readable_script(
        statements,
        title=f"retrieval for: {question}",
        answers=rendering.refined_answers(analysis.policy) if analysis.policy.refine.is_active else None,
        notes=(
            f"operator {analysis.policy.walk.operator}: {analysis.operator_reason}",
            f"policy by {analysis.analyzer}",
            *found,
            "run on the corpus file by any DuckDB client: duckdb -readonly FILE < this",
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
