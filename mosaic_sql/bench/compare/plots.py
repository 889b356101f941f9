"""Two plots as inline SVG: recall against evaluated paths, and differences with their intervals. Pure text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10

from mosaic_sql.bench.compare.intervals import Difference
from mosaic_sql.bench.compare.table import ALL, Row

_WIDTH, _LEFT, _TOP = 760, 70, 20


def scatter(rows: Sequence[Row], measure: str, number: int) -> str:
    """Percent of `measure` against evaluated paths on a scale of powers of ten; rows without either are left out."""
    points = [row for row in rows if measure in row.scores[ALL] and row.scores[ALL].get("paths", 0) > 0]
    if not points:
        return ""
    across = [log10(row.scores[ALL]["paths"]) for row in points]
    low, high = int(min(across)), int(max(across)) + 1
    height, right, bottom = 360, _WIDTH - 150, 360 - 50
    parts = [_line(_LEFT, bottom, right, bottom, "axis"), _line(_LEFT, _TOP, _LEFT, bottom, "axis")]
    for power in range(low, high + 1):
        x = _LEFT + (right - _LEFT) * (power - low) / (high - low)
        parts.append(_text(x, bottom + 18, f"{10**power:,}", "middle"))
    for percent in range(0, 101, 20):
        y = bottom - (bottom - _TOP) * percent / 100
        parts += [_line(_LEFT, y, right, y, "axis"), _text(_LEFT - 8, y + 4, str(percent), "end")]
    parts.append(_text((_LEFT + right) / 2, bottom + 38, "evaluated paths per question", "middle"))
    for row, place in sorted(zip(points, across, strict=True), key=lambda pair: pair[0].scores[ALL][measure]):
        x = _LEFT + (right - _LEFT) * (place - low) / (high - low)
        y = bottom - (bottom - _TOP) * row.scores[ALL][measure] / 100
        name = f"{row.operator} {row.policy}"
        told = f"{name}: {row.scores[ALL][measure]:.1f} % at {row.scores[ALL]['paths']:,.0f} paths"
        parts += [
            f'<circle class="{escape(row.operator)}" cx="{x:.1f}" cy="{y:.1f}" r="5">',
            f"<title>{escape(told)}</title></circle>",
            _text(x + 9, y + 4, name, "start"),
        ]
    told = "; ".join(f"{row.operator} {row.policy} {row.scores[ALL][measure]:.1f} %" for row in points)
    return _svg(f"{measure} against evaluated paths", told, height, parts, f"scatter-{number}")


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
