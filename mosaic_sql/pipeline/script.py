"""What a retrieval runs, as one script for any DuckDB client."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mosaic_sql import readable, sqlfiles
from mosaic_sql import refine as refining
from mosaic_sql import render as rendering
from mosaic_sql.models import ChatModel
from mosaic_sql.pipeline import nested
from mosaic_sql.pipeline.controls import PolicyLike, is_free
from mosaic_sql.pipeline.results import Retrieval, Step
from mosaic_sql.pipeline.retriever import Retriever, Vector
from mosaic_sql.pipeline.steps import in_order
from mosaic_sql.records import Analysis, RenderedQuery
from mosaic_sql.text import counted


@dataclass(frozen=True)
class Plan:
    """What a retrieval would run: its own statements, those of its steps, and what was made of the question.

    `form` is how the handle runs it, in words; `held` tells that the caller set a policy or controls of it.
    """

    question: str
    analysis: Analysis
    steps: tuple[Step, ...]
    statements: tuple[RenderedQuery, ...]
    form: str
    held: bool

    @property
    def answers(self) -> RenderedQuery | None:
        """The answers of a refined walk, which come after the evidence: a count of all of a kind has none."""
        policy = self.analysis.policy
        return refining.refined_answers(policy) if policy.refine.is_active else None


def planned(
    retriever: Retriever, question: str, vector: Vector, *, policy: PolicyLike, analyst: ChatModel | None
) -> Plan:
    """The statements of a retrieval in plain SQL.

    A walk over relations that is left to the analyzer is run first: one that finds nothing gives way to the text. The
    described parts of a question are run too: what they found stands in the statements after them.
    """
    plain = retriever.plain()
    prepared = nested.prepare(plain, question, policy, vector, analyst=analyst)
    analysis, before = prepared.analysis, prepared.steps
    form = rendering.told([prepared.question], analysis.policy, retriever.form())
    if is_free(policy) and analysis.policy.walk.operator in rendering.TYPED:
        run = plain.retrieve([question], [vector], policy=policy, keep_pruned=False, analyst=analyst)[0]
        form = rendering.told([prepared.question], run.analysis.policy, retriever.form())
        return Plan(question, run.analysis, tuple(in_order(run.steps)), tuple(run.statements), form, bool(policy))
    refinement = refining.plan(analysis.policy, retriever.catalogue())
    statements = rendering.render([prepared.question], analysis.policy, plain.form(), refinement)
    return Plan(question, analysis, tuple(in_order(before)), statements, form, bool(policy))


def script(plan: Plan) -> str:
    """The statements with their values as literals, those of the steps first, and why this walk."""
    analysis, steps = plan.analysis, plan.steps
    scripts = [_step_script(number, len(steps), step) for number, step in enumerate(steps, 1)]
    found = [f"the nodes that {counted(len(steps), 'step')} above found stand here as literal values"] if steps else []
    own = readable.script(
        plan.statements,
        title=f"retrieval for: {plan.question}",
        answers=plan.answers,
        notes=(
            f"operator {analysis.policy.walk.operator}: {analysis.operator_reason}",
            f"policy by {analysis.analyzer}{', and by the caller' if plan.held else ''}",
            *found,
            "run on the corpus file by any DuckDB client: duckdb -readonly FILE < this",
            f"this handle runs it as {plan.form or 'it stands'}; this is its plain twin, same rows",
        ),
    )
    return "\n".join([*scripts, own])


def with_values(plan: Plan) -> str:
    """The same as JSON: each statement with its text and, apart from it, the values of its parameters, in order."""
    answers = RenderedQuery("context.answers", sqlfiles.load("context.answers").body)
    queries = [query for step in plan.steps for query in (*step.retrieval.statements, answers)]
    queries += [*plan.statements, readable.kept_evidence(), *([plan.answers] if plan.answers else [])]
    told = {
        "question": plan.question,
        "operator": plan.analysis.policy.walk.operator,
        "operator_reason": plan.analysis.operator_reason,
        "policy": plan.analysis.policy.model_dump(mode="json"),
        "statements": [
            {"stage": query.stage, "name": query.name, "sql": query.sql, "params": dict(query.params)}
            for query in queries
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def script_of(retrieval: Retrieval) -> str:
    """The statements that a retrieval ran, with their values as literals."""
    answers = None if retrieval.refined is None else refining.refined_answers(retrieval.policy)
    reason = f"operator {retrieval.policy.walk.operator}: {retrieval.analysis.operator_reason}"
    return readable.script(
        retrieval.statements, title=f"retrieval for: {retrieval.question}", notes=(reason,), answers=answers
    )


def _step_script(number: int, count: int, step: Step) -> str:
    """A step's statements, its answers at the end."""
    names = ", ".join(found.name for found in step.nodes[:10]) + (", …" if len(step.nodes) > 10 else "")
    title = f"-- step {number} of {count}, {step.role}: {' '.join(step.text.split())}"
    found = f"-- found {counted(step.found, 'node')}: {' '.join(names.split()) or 'none'}"
    answers = [] if step.retrieval.refined else [f"{sqlfiles.load('context.answers').body};"]
    return "\n".join([title, found, script_of(step.retrieval), *answers, ""])
