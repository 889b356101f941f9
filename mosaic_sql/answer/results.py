"""What every way of answering ends with: a citation, or no answer."""

from __future__ import annotations

from mosaic_sql.records import Analysis, Answer, Citation, Passage
from mosaic_sql.text import tokens

_CLOSED = frozenset("is are was were did does do has have had can could will would may might".split())
"""First words of a question that yes or no answers."""


NO_ANSWER = "The corpus holds no answer to this question."


def no_answer(method: str, reason: str, missing: tuple[str, ...] = ()) -> Answer:
    """*No answer*, with the reason."""
    return Answer(NO_ANSWER, (), False, method, reason=reason, missing=missing)


def is_closed(question: str) -> bool:
    """Whether yes or no answers a question."""
    opening = [token.form for token in tokens(question)[:2]]
    return bool(opening) and opening[0] in _CLOSED and opening[1:] not in (["you"], ["i"], ["we"])


def told_apart(analysis: Analysis) -> str:
    """Why what holds for one anchor is told in place of what holds for all; empty where that is found."""
    return "; ".join(change.reason for change in analysis.corrections if change.field == "combine")


def cite(passage: Passage) -> Citation:
    """The citation that a marker `[n]` stands for."""
    return Citation(
        passage.number, passage.source, passage.title, passage.chunk_id, passage.char_start, passage.char_end
    )
