"""The walk stage: one recursive statement from the seeds, its score and stop inside."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql.database import Database
from mosaic_sql.records import RenderedQuery, StageTime, Walk

STAGES = ("cue", "connector", "reach", "corridor", "walk")
_REASONS = {
    "max_depth": "the depth cap was reached",
    "low_gain": "the last depth added little and enough is covered",
    "no_gain": "a depth added nothing new",
    "path_limit": "enough paths were found",
    "row_budget": "cut at the row budget; raise row_budget for more",
}


def walk(
    database: Database,
    statements: Sequence[RenderedQuery],
    *,
    operator: str,
    form: str,
    timeout: float | None = None,
) -> tuple[Walk, list[StageTime]]:
    """Fill `walk` (and `cue` before it)."""
    times = [database.fill(query, timeout=timeout) for query in statements if query.stage in STAGES]
    rows = database.table("context.walk")
    return Walk(rows, operator, form, _stop_reason(rows)), times


def of_question(walked: Walk, question_id: int) -> Walk:
    """The part of a batch's walk that belongs to one question."""
    rows = walked.rows.filter(pc.equal(walked.rows["question_id"], question_id))
    return Walk(rows, walked.operator, walked.form, _stop_reason(rows))


def _stop_reason(rows: pa.Table) -> str:
    if not len(rows):
        return "no seed to start from"
    deepest = pc.max(rows["depth"]).as_py()
    last = rows.filter(pc.equal(rows["depth"], deepest))["stopped"].drop_null().to_pylist()
    if last:
        return f"{last[0]}: {_REASONS[last[0]]}"
    return "exhausted: nothing further to reach" if deepest else "exhausted: nothing leads on from the seeds"
