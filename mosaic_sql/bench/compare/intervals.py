"""Paired bootstrap: how sure a difference between two ways of retrieving is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True)
class Difference:
    """A row's mean less that of `against`, in points of percent, with its interval, over `questions` that both have."""

    operator: str
    policy: str
    against: str
    measure: str
    points: float
    low: float
    high: float
    questions: int

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def interval(
    values: Sequence[float], others: Sequence[float], *, seed: int, resamples: int = RESAMPLES
) -> tuple[float, float, float]:
    """Mean difference and its 95 % interval, in points of percent (percentile bootstrap, Efron 1979).

    The questions are resampled, so what two ways share by asking the same question falls out of their difference.

    Args:
        values: one per question, in [0, 1]; at least one.
        others: the same questions, asked the other way.
        seed: the same seed gives the same interval.
        resamples: samples drawn.
    """
    each = 100 * (np.asarray(values, dtype=np.float64) - np.asarray(others, dtype=np.float64))
    drawn = np.random.default_rng(seed).integers(0, len(each), size=(resamples, len(each)))
    means = each[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return round(float(each.mean()), 1), round(float(low), 1), round(float(high), 1)
