"""Rendered queries as one script to read, and to run in any DuckDB shell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import sqlfiles
from mosaic_sql.database import with_literals
from mosaic_sql.records import RenderedQuery

_MARK = re.compile(r"^[ \t]*/\*</?\w+>\*/[ \t]*\n|/\*</?\w+>\*/[ \t]*\n?", re.MULTILINE)


def script(
    queries: Sequence[RenderedQuery],
    *,
    title: str,
    notes: Sequence[str] = (),
    last: str | None = None,
    answers: RenderedQuery | None = None,
) -> str:
    """Queries as one script, values as literals; `last`, else the kept evidence, and `answers` end it."""
    lines = [f"-- {' '.join(line.split())}" for line in (title, *notes)]
    for query in queries:
        doc = "" if query.name.startswith("stage.") else sqlfiles.load(query.name).doc
        statement = _MARK.sub("", with_literals(query.sql, query.params)).rstrip()
        lines += ["", f"-- {query.stage}: {query.name}. {doc}".rstrip(), f"{statement};"]
    end = kept_evidence().sql if last is None else _MARK.sub("", sqlfiles.compose(last))
    lines += ["", f"{end};"]
    if answers is not None:
        lines += ["", f"-- answers: {answers.name}", f"{with_literals(answers.sql, answers.params)};"]
    return "\n".join([*lines, ""])


def kept_evidence() -> RenderedQuery:
    """The kept units of the evidence stage, in order, with the facts of edges."""
    name = "context.kept_evidence"
    return RenderedQuery(name, _MARK.sub("", sqlfiles.compose(name, {"units": "context.evidence_facts"})))
