"""Context into an answer: by a model when one is asked for, else from the graph, else quoted from the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mosaic_sql.answer import graph, quoted, refined
from mosaic_sql.answer import model as by_model
from mosaic_sql.answer.results import NO_ANSWER, no_answer
from mosaic_sql.models import ChatModel, Reply
from mosaic_sql.policy import ContextPolicy
from mosaic_sql.records import Analysis, Answer, Context, Found

__all__ = ["NO_ANSWER", "answer"]

_OVER_TEXT = ("beam", "chunk_hop")
"""Operators that answer from the text where there is any."""


def answer(
    question: str,
    context: Context,
    *,
    analysis: Analysis,
    found: Sequence[Found] = (),
    stopped: str = "",
    model: ChatModel | None = None,
) -> tuple[Answer, Reply | None]:
    """The answer and, where a model gave it, its reply for the ledger.

    `found` is what a typed walk ended in, `stopped` why it ended. *No answer* is a result (`found` False): no passage,
    or a best cosine under `min_support` while the passages hold less than `min_overlap` of the question's words; nor is
    a model asked how two ends are joined that no path joins.
    """
    told, reply = _answered(question, context, analysis, found, stopped, model)
    if analysis.second and reply is None:
        told = replace(told, text=f"{told.text}\nNot answered: “{analysis.second}”; ask it by itself.")
    return told, reply


def _answered(  # what `answer` takes
    question: str, context: Context, analysis: Analysis, found: Sequence[Found], stopped: str, model: ChatModel | None
) -> tuple[Answer, Reply | None]:
    operator = analysis.policy.walk.operator
    if analysis.unresolved:
        return no_answer("graph", analysis.unresolved), None
    if model is None and refined.answers(context, analysis, found):
        return refined.refined(context, analysis, found), None
    if operator in graph.JOINING and not found:
        return graph.not_joined(analysis, stopped), None
    reason = _unsupported(context, analysis.policy.context)
    if reason and analysis.policy.refine.filters:
        reason = f"nothing has {analysis.policy.refine.conditions}"
    if reason:
        return no_answer("none", reason, context.missing), None
    if model is not None:
        reply = model.complete(by_model.messages(question, context))
        return by_model.checked(reply.text, context, f"model {reply.model}"), reply
    if operator not in _OVER_TEXT or _only_facts(context):
        return graph.from_graph(question, context, analysis, found, stopped), None
    return quoted.quoted(question, context, analysis), None


def _unsupported(context: Context, policy: ContextPolicy) -> str:
    if not context.passages:
        return "nothing was found"
    if context.support < policy.min_support and context.overlap < policy.min_overlap:
        return (
            f"best cosine {context.support:.2f} under min_support {policy.min_support:g}, and only "
            f"{context.overlap:.0%} of the question's words in the evidence"
        )
    return ""


def _only_facts(context: Context) -> bool:
    """Whether the graph alone speaks: there are facts, and no text to quote."""
    return all(passage.chunk_id is None for passage in context.passages)
