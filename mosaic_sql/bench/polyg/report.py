"""What was measured as rows: cells of the matrix, confusion of shapes, the price of choosing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from mosaic_sql.bench.measures import mean, percentile
from mosaic_sql.bench.polyg import paper
from mosaic_sql.bench.polyg.forms import SHAPES
from mosaic_sql.bench.polyg.matrix import ADAPTIVE, SHAPE_OF, Measured, Told, of

_MEASURES = ("score", "exact", "precision", "recall", "verdict", "valid")
_LEVEL = 5e-4
"""What rounds to the same percent is level."""


def to_dict(measured: Measured, *, wrong: int) -> dict[str, Any]:
    """The whole of a graph's measures for JSON, with at most `wrong` questions that the adaptive choice got wrong."""
    settings = measured.settings
    return {
        "graph": settings.graph,
        "nodes": len(measured.world.nodes),
        "edges": len(measured.world.edges),
        "seed": settings.seed,
        "rows": cells(measured),
        "wins": wins(measured),
        "confusion": confusion(measured),
        "choosing": choosing(measured),
        "unknown_anchors": {"questions": measured.unknown, "no_answer": measured.refused},
        "wrong": [one.to_dict(measured.world) for one in failures(measured)[:wrong]],
    }


def cells(measured: Measured) -> list[dict[str, Any]]:
    """A row for each mode, shape and method; measures in percent, None where a shape has no such measure."""
    methods = (*measured.settings.operators, ADAPTIVE)
    return [
        _cell(measured, mode, shape, method, found)
        for mode in measured.settings.modes
        for shape in SHAPES
        for method in methods
        if (found := of(measured.told, mode=mode, shape=shape, method=method))
    ]


def _cell(measured: Measured, mode: str, shape: str, method: str, told: Sequence[Told]) -> dict[str, Any]:
    measures = {name: _percent(getattr(one.score, name) for one in told) for name in _MEASURES}
    linked = [_is_linked(one) for one in told]
    return {
        "mode": mode,
        "shape": shape,
        "method": method,
        "questions": len(told),
        **measures,
        "linked": _percent(linked) if mode == "plain" and method == ADAPTIVE else None,
        "refused": sum(bool(one.returned.refused) for one in told),
        "tokens": round(mean([one.returned.tokens for one in told]), 1),
        "paper_tokens": paper.TOKENS[measured.settings.graph][shape] if method == ADAPTIVE else None,
        "p50_ms": round(percentile([one.returned.milliseconds for one in told], 0.5), 1),
        "p95_ms": round(percentile([one.returned.milliseconds for one in told], 0.95), 1),
        "paper_s": paper.SECONDS[measured.settings.graph][shape] if method == ADAPTIVE else None,
    }


def _is_linked(one: Told) -> bool:
    """Whether each anchor is among the nodes that some name of the question was linked to."""
    return all(any(key in keys for keys in one.returned.linked) for key in one.question.anchors)


def _percent(values: Iterable[Any]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return round(100 * mean(known), 1) if known else None


def wins(measured: Measured) -> list[dict[str, Any]]:
    """For each mode and shape the best fixed operator beside the adaptive choice; level counts as won."""
    rows: list[dict[str, Any]] = []
    for mode in measured.settings.modes:
        for shape in SHAPES:
            by_method = {
                method: mean([one.score.score for one in found])
                for method in (*measured.settings.operators, ADAPTIVE)
                if (found := of(measured.told, mode=mode, shape=shape, method=method))
            }
            if len(by_method) < 2:
                continue
            chosen = by_method.pop(ADAPTIVE)
            best = max(by_method, key=lambda method: by_method[method])
            rows.append(
                {
                    "mode": mode,
                    "shape": shape,
                    "adaptive": round(100 * chosen, 1),
                    "best_fixed": best,
                    "best": round(100 * by_method[best], 1),
                    "won": chosen >= by_method[best] - _LEVEL,
                }
            )
    return rows


def confusion(measured: Measured) -> dict[str, dict[str, dict[str, int]]]:
    """Mode -> shape -> the shape that was chosen (an operator of no shape under its own name) -> questions."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for mode in (mode for mode in measured.settings.modes if mode != "anchors+path"):
        for shape in SHAPES:
            told = of(measured.told, mode=mode, shape=shape, method=ADAPTIVE)
            chosen = Counter(SHAPE_OF.get(one.returned.operator, one.returned.operator or "none") for one in told)
            found.setdefault(mode, {})[shape] = dict(sorted(chosen.items()))
    return found


def choosing(measured: Measured) -> dict[str, dict[str, float]]:
    """Mode -> what reading the question (names, shape, pattern) takes: milliseconds, tokens, share of all time."""
    found: dict[str, dict[str, float]] = {}
    for mode in (mode for mode in measured.settings.modes if mode != "anchors+path"):
        told = of(measured.told, mode=mode, method=ADAPTIVE)
        total = sum(one.returned.milliseconds for one in told)
        spent = [one.returned.choosing for one in told]
        found[mode] = {
            "p50_ms": round(percentile(spent, 0.5), 1),
            "share": round(100 * sum(spent) / total, 1),
            "tokens": round(mean([one.returned.choosing_tokens for one in told]), 1),
        }
    return found


def failures(measured: Measured) -> list[Told]:
    """What the adaptive choice did not get whole, the worst first, in the order asked."""
    told = [one for one in measured.told if one.method == ADAPTIVE and one.score.score < 1]
    return sorted(told, key=lambda one: (measured.settings.modes.index(one.mode), one.score.score))
