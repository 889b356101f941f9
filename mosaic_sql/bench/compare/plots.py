"""Two plots as inline SVG: recall against evaluated paths, and differences with their intervals. Pure text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10

from mosaic_sql.bench.compare.intervals import Difference
from mosaic_sql.bench.compare.table import ALL, Row

_WIDTH, _LEFT, _TOP, _RIGHT, _BOTTOM = 800, 70, 20, 600, 310
_LABEL = 15


def scatter(rows: Sequence[Row], measure: str, number: int) -> str:
    """Percent of `measure` against evaluated paths on a scale of powers of ten; rows without either are left out."""
    points = [row for row in rows if measure in row.scores[ALL] and row.scores[ALL].get("paths", 0) > 0]
    if not points:
        return ""
    points.sort(key=lambda row: (-row.scores[ALL][measure], -row.scores[ALL]["paths"]))
    across = [log10(row.scores[ALL]["paths"]) for row in points]
    low, high = floor(min(across)), floor(max(across)) + 1
    heights = [_BOTTOM - (_BOTTOM - _TOP) * row.scores[ALL][measure] / 100 for row in points]
    parts = _axes(low, high)
    for row, power, y, label in zip(points, across, heights, _spread(heights), strict=True):
        x = _LEFT + (_RIGHT - _LEFT) * (power - low) / (high - low)
        name = f"{row.operator} {row.policy}"
        told = f"{name}: {row.scores[ALL][measure]:.1f} % at {row.scores[ALL]['paths']:,.0f} paths"
        parts += [
            _line(x + 6, y, _RIGHT + 8, label, "axis"),
            f'<circle class="{escape(row.operator)}" cx="{x:.1f}" cy="{y:.1f}" r="5">'
            f"<title>{escape(told)}</title></circle>",
            _text(_RIGHT + 12, label + 4, name, "start"),
        ]
    told = "; ".join(f"{row.operator} {row.policy} {row.scores[ALL][measure]:.1f} %" for row in points)
    return _svg(f"{measure} against evaluated paths", told, _BOTTOM + 50, parts, f"scatter-{number}")


def _axes(low: int, high: int) -> list[str]:
    """The frame: powers of ten from `low` to `high` across, percent up."""
    parts = [_text((_LEFT + _RIGHT) / 2, _BOTTOM + 38, "evaluated paths per question", "middle")]
    for power in range(low, high + 1):
        x = _LEFT + (_RIGHT - _LEFT) * (power - low) / (high - low)
        parts += [_line(x, _TOP, x, _BOTTOM, "axis"), _text(x, _BOTTOM + 18, f"{10**power:,}", "middle")]
    for percent in range(0, 101, 20):
        y = _BOTTOM - (_BOTTOM - _TOP) * percent / 100
        parts += [_line(_LEFT, y, _RIGHT, y, "axis"), _text(_LEFT - 8, y + 4, str(percent), "end")]
    return parts


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights of labels for points in order from the top: apart by a line, none below the frame."""
    placed: list[float] = []
    for y in heights:
        placed.append(max(y, placed[-1] + _LABEL) if placed else y)
    for behind, place in enumerate(range(len(placed) - 1, -1, -1)):
        placed[place] = min(placed[place], _BOTTOM - _LABEL * behind)
    return placed


def bars(differences: Sequence[Difference], measure: str, number: int) -> str:
    """Differences of `measure` in points, each a bar from zero with its interval as a line."""
    shown = [row for row in differences if row.measure == measure]
    if not shown:
        return ""
    reach = max(1.0, *(abs(edge) for row in shown for edge in (row.low, row.high, row.points)))
    left, right = 260, _WIDTH - 80
    middle, scale = (left + right) / 2, (right - left) / 2 / reach
    bottom = _TOP + 26 * len(shown)
    parts = [_line(middle, _TOP - 4, middle, bottom, "zero")]
    for place, row in enumerate(shown):
        y = _TOP + 26 * place + 12
        start, end = sorted((middle, middle + scale * row.points))
        told = f"{row.points:+.1f} ({row.low:+.1f} to {row.high:+.1f})"
        name = f"{row.operator} {row.policy}"
        parts += [
            _text(left - 90, y + 4, name, "end"),
            f'<rect class="{escape(row.operator)}" x="{start:.1f}" y="{y - 6}" width="{end - start:.1f}" height="12" '
            f'fill-opacity="0.45"><title>{escape(f"{name}: {told}")}</title></rect>',
            _line(middle + scale * row.low, y, middle + scale * row.high, y, row.operator),
            _text(right + 4, y + 4, f"{row.points:+.1f}", "start"),
        ]
    parts += [
        _text(middle, bottom + 16, "0", "middle"),
        _text(left, bottom + 16, f"{-reach:.0f}", "middle"),
        _text(right, bottom + 16, f"{reach:.0f} points", "middle"),
    ]
    title = f"{measure}: difference to {shown[0].against}, 95 % intervals"
    described = "; ".join(f"{r.operator} {r.policy} {r.points:+.1f} ({r.low:+.1f} to {r.high:+.1f})" for r in shown)
    return _svg(title, described, bottom + 26, parts, f"bars-{number}")


def _svg(title: str, described: str, height: float, parts: Sequence[str], name: str) -> str:
    """A figure that a screen reader can tell: a title and a description with every value."""
    return (
        f"<h2>{escape(title)}</h2>\n"
        f'<svg role="img" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" height="{height:.0f}" '
        f'aria-labelledby="{name}-title {name}-text">\n<title id="{name}-title">{escape(title)}</title>\n'
        f'<desc id="{name}-text">{escape(described)}</desc>\n' + "\n".join(parts) + "\n</svg>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{escape(kind)}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
