"""The walk stage: one recursive statement from the seeds, its score and stop inside."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database
from mosaic_sql.records import RenderedQuery, StageTime, Walk

STAGES = ("cue", "connector", "reach", "corridor", "walk")
FEW = 300
"""Matches up to which they are read row by row; ten thousand are read some times faster by column."""
_REASONS = {
    "max_depth": "the depth cap was reached",
    "low_gain": "the last depth added little and enough is covered",
    "no_gain": "a depth added nothing new",
    "path_limit": "enough paths were found",
    "row_budget": "cut at the row budget; raise row_budget for more",
    "rank_rounds": "mass was still on its way after the last round",
}


def walk(
    database: Database,
    statements: Sequence[RenderedQuery],
    *,
    operator: str,
    form: str,
    whole: bool = True,
    timeout: float | None = None,
) -> tuple[Walk, list[StageTime]]:
    """Fill `walk` (and `cue` before it); its rows have four of their columns (`context.marks`) where not `whole`."""
    times = [database.fill(query, timeout=timeout) for query in statements if query.stage in STAGES]
    rows = database.table("context.walk" if whole else "context.marks")
    return _walked(rows, operator, form), times


def written(database: Database, walked: Walk, *, expand: str) -> Iterable[tuple[Any, ...]]:
    """What the walk of one question found, written out: the columns of `context.matches` but the first.

    `expand` is the form that it ran in.
    """
    found = pc.sum(pc.equal(walked.rows["view"], "answer")).as_py() or 0
    if not found:
        return ()
    name = "context.matches_resident" if expand == "resident" else "context.matches"
    query = RenderedQuery(name, sqlfiles.load(name).body, {})
    if found < FEW:
        rows = database.rows(query)
        return (tuple(tuple(v) if isinstance(v, list) else v for v in row[1:]) for row in rows)
    columns = database.run(query).columns[1:]
    return zip(*(_values(column.combine_chunks()) for column in columns), strict=True)


def _values(column: pa.Array) -> list[Any]:
    """The values of a column, its lists as tuples."""
    if not pa.types.is_list(column.type):
        found: list[Any] = column.to_pylist()
        return found
    values, ends = column.flatten().to_pylist(), column.offsets.to_pylist()
    first = ends[0]
    return [tuple(values[start - first : end - first]) for start, end in itertools.pairwise(ends)]


def of_question(walked: Walk, question_id: int) -> Walk:
    """The part of a batch's walk that belongs to one question."""
    rows = walked.rows.filter(pc.equal(walked.rows["question_id"], question_id))
    return _walked(rows, walked.operator, walked.form)


def _walked(rows: pa.Table, operator: str, form: str) -> Walk:
    told = _told(rows)
    return Walk(rows, operator, form, _stop_reason(rows, told), _cuts(rows, told))


def _stop_reason(rows: pa.Table, told: Sequence[str]) -> str:
    if not len(rows):
        return "no seed to start from"
    deepest = pc.max(rows["depth"]).as_py()
    last = _told(rows.filter(pc.equal(rows["depth"], deepest)))
    for name in ("row_budget", "path_limit", "max_depth", "low_gain", "no_gain", "rank_rounds"):
        if any(name in reasons for reasons in (told if name == "rank_rounds" else last)):
            return f"{name}: {_REASONS[name]}"
    return "exhausted: nothing further to reach" if deepest else "exhausted: nothing leads on from the seeds"


def _cuts(rows: pa.Table, told: Sequence[str]) -> tuple[str, ...]:
    """What a bound left out, one line each; empty for a walk that saw all it was to see."""
    cuts: list[str] = []
    if any("row_budget" in reasons for reasons in told):
        depth = pc.min(_marked(rows, "row_budget")["depth"]).as_py()
        cuts.append(f"cut at row_budget{f' at depth {depth}' if depth else ''}; raise it for more")
    if any("fan_out" in reasons for reasons in told):
        hubs = pc.count_distinct(_marked(rows, "fan_out")["tail_id"]).as_py()
        having = "node has" if hubs == 1 else "nodes have"
        cuts.append(
            f"cut at fan_out: {hubs} {having} more neighbours, only the first were looked at; raise it for more"
        )
    return tuple(cuts)


def _told(rows: pa.Table) -> list[str]:
    """Each combination of reasons that rows of a walk stopped for."""
    return [reasons for reasons in rows["stopped"].unique().to_pylist() if reasons]


def _marked(rows: pa.Table, name: str) -> pa.Table:
    """The rows where the walk stopped for this reason, be it one of several."""
    return rows.filter(pc.match_substring(rows["stopped"], name))
