"""A comparison as one page that needs nothing else: no script, no link, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from mosaic_sql.bench.compare import plots
from mosaic_sql.bench.compare.table import ALL, Comparison
from mosaic_sql.page.frame import framed

_MEASURES = ("statements", "kept_recall", "R@5", "all@5")
_NAMES = frozenset({"group", "operator", "policy", "kind", "against", "measure", "trait", "control"})


def page(found: Comparison) -> str:
    """The page's HTML; whatever comes from the corpus or its questions is escaped."""
    return framed(
        "mosaic_sql.bench.compare",
        f"Policies compared: {Path(str(found.settings['path'])).name}",
        settings=escape("; ".join(f"{name} {_told(value)}" for name, value in found.settings.items() if value != ())),
        notes="".join(f"<p>{escape(remark)}.</p>\n" for remark in found.notes),
        plots="\n".join(_plots(found)),
        tables="\n".join(_tables(found)),
    )


def _plots(found: Comparison) -> list[str]:
    policies = [row for row in found.rows if row.group == "policy"]
    drawn = [plots.scatter(policies, measure, number) for number, measure in enumerate(_MEASURES)]
    number = 0
    for against in dict.fromkeys(row.against for row in found.differences):
        shown = [row for row in found.differences if row.against == against]
        for measure in _MEASURES:
            drawn.append(plots.bars(shown, measure, number := number + 1))
    return [plot for plot in drawn if plot]


def _tables(found: Comparison) -> list[str]:
    lines = list(found.lines())
    kinds = dict.fromkeys(line["kind"] for line in lines)
    made = [
        _table("All questions" if kind == ALL else str(kind), [line for line in lines if line["kind"] == kind])
        for kind in kinds
    ]
    made.append(_table("Requirement alignment, percent", [row.to_dict() for row in found.alignment]))
    made.append(_table("Differences, points of percent", [row.to_dict() for row in found.differences]))
    return made


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """A table of the columns that have a value somewhere."""
    columns = [name for name in (rows[0] if rows else ()) if any(row[name] is not None for row in rows)]
    if not columns:
        return ""
    head = "".join(f'<th scope="col"{_place(name)}>{escape(name)}</th>' for name in columns)
    body = "\n".join(
        "<tr>" + "".join(f"<td{_place(name)}>{escape(_told(row[name]))}</td>" for name in columns) + "</tr>"
        for row in rows
    )
    heading = f"<h2>{escape(title)}</h2>\n" + '<div class="scroll" tabindex="0" role="region" '
    return (
        f'{heading}aria-label="{escape(title)}"><table><caption>{len(rows)} rows</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _place(name: str) -> str:
    return ' class="name"' if name in _NAMES else ""


def _told(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.1f}"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
