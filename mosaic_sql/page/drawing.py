"""The walk as a picture: a column a depth, a box a path, kept ones in full, dropped ones dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from mosaic_sql.pipeline.paths import Column, Hop

_WIDTH, _HEIGHT, _GAP, _ACROSS, _TOP = 190, 34, 10, 300, 34
_CHARS = 19
_NAME = 140  # pixels of a box that its name may take; the score stands behind


def drawing(columns: Sequence[Column], used: frozenset[int]) -> str:
    """An SVG of the walk; `used` are the paths whose evidence was kept, drawn with all that led to them."""
    ways = _ways(columns, used)
    places: dict[int, tuple[int, int]] = {}
    boxes, lines, labels = list[str](), list[str](), list[str]()
    deepest = 0
    for number, column in enumerate(columns):
        x = number * _ACROSS + 10
        boxes.append(f'<text x="{x}" y="20" class="soft">{_heading(column)}</text>')
        for row, step in enumerate(column.hops):
            y = _TOP + row * (_HEIGHT + _GAP)
            places[step.path_id] = (x, y)
            boxes.append(_box(step, x, y, _class(step, ways)))
            if step.parent_id in places:
                lines.append(_line(places[step.parent_id], (x, y), _class(step, ways)))
            labels.append(_over(step, x, y))
        deepest = max(deepest, _TOP + len(column.hops) * (_HEIGHT + _GAP))
        if column.more_kept or column.more_dropped:
            boxes.append(f'<text x="{x}" y="{deepest_of(column)}" class="soft">{_more(column)}</text>')
    width, height = len(columns) * _ACROSS, deepest + 30
    label = f"The walk drawn as a graph, {len(columns)} columns; the table below tells the same"
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="group" aria-label="{label}">'
        f"{''.join(lines)}{''.join(labels)}{''.join(boxes)}</svg>"
    )


def deepest_of(column: Column) -> int:
    """Where a column's last line stands."""
    return _TOP + len(column.hops) * (_HEIGHT + _GAP) + 12


def tooltip(step: Hop) -> str:
    """What a box says when it is looked at: name, score and its terms, or the rule that was against it."""
    score = "" if step.score is None else f"score {step.score:.3f}"
    lines = [step.name, f"over {step.over}" if step.over else "", score]
    lines += [f"{name} {value:.3f}" for name, value in step.terms.items()]
    lines += ["kept" if step.kept else f"dropped by {step.pruned_by}"]
    return "\n".join(line for line in lines if line)


def _ways(columns: Sequence[Column], used: frozenset[int]) -> frozenset[int]:
    parents: Mapping[int, int | None] = {step.path_id: step.parent_id for c in columns for step in c.hops}
    found = set[int]()
    for start in used:
        at: int | None = start
        while at is not None and at in parents and at not in found:
            found.add(at)
            at = parents[at]
    return frozenset(found)


def _class(step: Hop, ways: frozenset[int]) -> str:
    if step.path_id in ways:
        return "way"
    return "kept" if step.kept else "gone"


def _heading(column: Column) -> str:
    return "seeds" if column.depth == 0 else f"depth {column.depth}"


def _more(column: Column) -> str:
    parts = [f"{n:,} {what}" for n, what in ((column.more_kept, "kept"), (column.more_dropped, "dropped")) if n]
    return f"and {', '.join(parts)}"


def _box(step: Hop, x: int, y: int, kind: str) -> str:
    score = "" if step.score is None else f"{step.score:.2f}"
    return (
        f'<g class="{kind}" tabindex="0" role="img" aria-label="{escape(tooltip(step), quote=True)}">'
        f"<title>{escape(tooltip(step))}</title>"
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
        f'<svg x="{x + 8}" y="{y}" width="{_NAME}" height="{_HEIGHT}">'
        f'<text y="21">{escape(_short(step.name, _CHARS))}</text></svg>'
        f'<text x="{x + _WIDTH - 6}" y="{y + 21}" text-anchor="end" class="soft">{score}</text></g>'
    )


def _line(start: tuple[int, int], end: tuple[int, int], kind: str) -> str:
    x1, y1 = start[0] + _WIDTH, start[1] + _HEIGHT // 2
    x2, y2 = end[0], end[1] + _HEIGHT // 2
    middle = (x1 + x2) // 2
    return f'<path class="{kind}" d="M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"/>'


def _over(step: Hop, x: int, y: int) -> str:
    """What a kept path came over, beside its box."""
    if not step.kept or not step.over:
        return ""
    return f'<text x="{x - 6}" y="{y + 12}" text-anchor="end" class="over">{escape(_short(step.over, 17))}</text>'


def _short(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
